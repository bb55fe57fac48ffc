//go:build !((linux || windows) && (amd64 || arm64))

package cuda

import (
	"fmt"
	"runtime"
)

var (
	driverFiles = []string{"the driver"}
	nvmlFiles   []string
)

func open(string) (uintptr, error) {
	return 0, fmt.Errorf("there is none for %s on %s", runtime.GOOS, runtime.GOARCH)
}

func symbol(uintptr, string) uintptr { return 0 }

func invoke(uintptr, ...uintptr) uintptr { return 0 }

func callback(func(uintptr) uintptr) uintptr { return 0 }
