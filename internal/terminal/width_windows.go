package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// screenColumns returns the width of a terminal, 0 if it is not known.
func screenColumns(f *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}
