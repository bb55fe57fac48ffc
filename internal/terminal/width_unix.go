//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// screenColumns returns the width of a terminal, 0 if it is not known.
func screenColumns(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
