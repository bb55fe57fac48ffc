//go:build unix && !(darwin || dragonfly || freebsd || netbsd || openbsd)

package terminal

import "golang.org/x/sys/unix"

const getTermios, setTermios = unix.TCGETS, unix.TCSETS
