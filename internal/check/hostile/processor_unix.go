//go:build unix

package hostile

import (
	"syscall"
	"time"
)

// Processor returns the time that the processors have spent on this process.
func Processor() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // every process has a usage
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
