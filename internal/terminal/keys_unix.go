//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// KeepKeys keeps the keys typed at the terminal f while nobody reads them, and does not echo them: the next reader,
// such as a line editor, finds the keys as typed. Otherwise, a terminal echoes the keys in the middle of the output and
// turns Enter into line feeds. Ctrl-C still interrupts.
//
// The returned function restores the terminal, and so does a signal that ends the process.
func KeepKeys(f *os.File) (putBack func()) {
	fd := int(f.Fd())
	before, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return func() {} // f is not a terminal
	}
	kept := *before
	kept.Lflag &^= unix.ICANON | unix.ECHO
	kept.Iflag &^= unix.ICRNL
	kept.Cc[unix.VMIN], kept.Cc[unix.VTIME] = 1, 0
	if unix.IoctlSetTermios(fd, setTermios, &kept) != nil {
		return func() {}
	}
	ending := make(chan os.Signal, 1)
	signal.Notify(ending, unix.SIGINT, unix.SIGTERM, unix.SIGHUP)
	go func() {
		s, ok := <-ending
		if !ok {
			return
		}
		_ = unix.IoctlSetTermios(fd, setTermios, before)
		signal.Reset(s)
		_ = unix.Kill(os.Getpid(), s.(syscall.Signal)) // ends the process as the signal would have
	}()
	return func() {
		signal.Stop(ending)
		close(ending)
		_ = unix.IoctlSetTermios(fd, setTermios, before)
	}
}
