//go:build !unix && !windows

package terminal

import "os"

// screenColumns returns the width of a terminal, 0 if it is not known.
func screenColumns(*os.File) int { return 0 }
