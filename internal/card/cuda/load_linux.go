//go:build linux && (amd64 || arm64)

package cuda

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// The files of the driver: in the linker's paths, then in the paths of WSL, NixOS and NVIDIA's containers.
var (
	driverFiles = []string{
		"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/run/opengl-driver/lib/libcuda.so.1",
		"/usr/local/nvidia/lib64/libcuda.so.1",
	}
	nvmlFiles = []string{
		"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1", "/run/opengl-driver/lib/libnvidia-ml.so.1",
		"/usr/local/nvidia/lib64/libnvidia-ml.so.1",
	}
)

// open stays on its thread: the linker stores the reason of a failure for each thread, and purego reads it with a
// second call.
func open(name string) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func symbol(lib uintptr, name string) uintptr {
	addr, err := purego.Dlsym(lib, name)
	if err != nil {
		return 0
	}
	return addr
}

//go:uintptrescapes
func invoke(fn uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}

// callback returns a C function that calls f.
func callback(f func(uintptr) uintptr) uintptr { return purego.NewCallback(f) }
