//go:build windows && (amd64 || arm64)

package cuda

import (
	"syscall"

	"golang.org/x/sys/windows"
)

var (
	driverFiles = []string{"nvcuda.dll"}
	nvmlFiles   = []string{"nvml.dll"}
)

// open searches the system folder only: a file of that name in the working directory may be anything.
func open(name string) (uintptr, error) {
	h, err := windows.LoadLibraryEx(name, 0, windows.LOAD_LIBRARY_SEARCH_SYSTEM32)
	return uintptr(h), err
}

func symbol(lib uintptr, name string) uintptr {
	addr, err := windows.GetProcAddress(windows.Handle(lib), name)
	if err != nil {
		return 0
	}
	return addr
}

//go:uintptrescapes
func invoke(fn uintptr, args ...uintptr) uintptr {
	r, _, _ := syscall.SyscallN(fn, args...)
	return r
}

// callback returns a C function that calls f.
func callback(f func(uintptr) uintptr) uintptr { return windows.NewCallback(f) }
