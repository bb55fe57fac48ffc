package cuda

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"girih/fault"
)

// Required is the oldest version of the driver's interface that has every function called here: driver 525 has it.
const Required Version = 12000

// Version is a version of the driver's interface as cuDriverGetVersion states it: 13010 is 13.1.
type Version int

// String returns the version as NVIDIA writes it: 13.1.
func (v Version) String() string { return fmt.Sprintf("%d.%d", int(v)/1000, int(v)%1000/10) }

// An entry is a function of the driver.
type entry int

const (
	cuInit entry = iota
	cuDriverGetVersion
	cuGetErrorName
	cuGetErrorString
	cuDeviceGetCount
	cuDeviceGet
	cuDeviceGetName
	cuDeviceGetAttribute
	cuDeviceTotalMem
	cuDeviceGetPCIBusID
	cuDevicePrimaryCtxRetain
	cuDevicePrimaryCtxRelease
	cuCtxSetCurrent
	cuCtxGetCurrent
	cuCtxGetDevice
	cuMemGetInfo
	cuMemAlloc
	cuMemFree
	cuMemHostAlloc
	cuMemFreeHost
	cuPointerGetAttribute
	cuIpcGetMemHandle
	cuIpcOpenMemHandle
	cuIpcCloseMemHandle
	cuMemcpyHtoDAsync
	cuMemcpyDtoHAsync
	cuMemcpyDtoDAsync
	cuMemsetD8Async
	cuMemsetD16Async
	cuMemsetD32Async
	cuStreamCreate
	cuStreamDestroy
	cuStreamQuery
	cuStreamGetCtx
	cuStreamWaitEvent
	cuStreamBeginCapture
	cuStreamEndCapture
	cuEventCreate
	cuEventDestroy
	cuEventRecord
	cuEventQuery
	cuEventElapsedTime
	cuGraphInstantiate
	cuGraphLaunch
	cuGraphExecDestroy
	cuGraphDestroy
	cuLinkCreate
	cuLinkAddData
	cuLinkComplete
	cuLinkDestroy
	cuModuleLoadDataEx
	cuModuleUnload
	cuModuleGetFunction
	cuFuncGetAttribute
	cuFuncSetAttribute
	cuOccupancyMaxActiveBlocks
	cuLaunchKernelEx
	cuTensorMapEncodeTiled
	cuTensorMapEncodeIm2col
	cuFuncGetParamInfo // since 12.4; it may be missing
	entries
)

// symbols are the names of the functions in the library, with the suffix of the signature used here.
var symbols = [entries]string{
	cuInit:                     "cuInit",
	cuDriverGetVersion:         "cuDriverGetVersion",
	cuGetErrorName:             "cuGetErrorName",
	cuGetErrorString:           "cuGetErrorString",
	cuDeviceGetCount:           "cuDeviceGetCount",
	cuDeviceGet:                "cuDeviceGet",
	cuDeviceGetName:            "cuDeviceGetName",
	cuDeviceGetAttribute:       "cuDeviceGetAttribute",
	cuDeviceTotalMem:           "cuDeviceTotalMem_v2",
	cuDeviceGetPCIBusID:        "cuDeviceGetPCIBusId",
	cuDevicePrimaryCtxRetain:   "cuDevicePrimaryCtxRetain",
	cuDevicePrimaryCtxRelease:  "cuDevicePrimaryCtxRelease_v2",
	cuCtxSetCurrent:            "cuCtxSetCurrent",
	cuCtxGetCurrent:            "cuCtxGetCurrent",
	cuCtxGetDevice:             "cuCtxGetDevice",
	cuMemGetInfo:               "cuMemGetInfo_v2",
	cuMemAlloc:                 "cuMemAlloc_v2",
	cuMemFree:                  "cuMemFree_v2",
	cuMemHostAlloc:             "cuMemHostAlloc",
	cuMemFreeHost:              "cuMemFreeHost",
	cuPointerGetAttribute:      "cuPointerGetAttribute",
	cuIpcGetMemHandle:          "cuIpcGetMemHandle",
	cuIpcOpenMemHandle:         "cuIpcOpenMemHandle_v2",
	cuIpcCloseMemHandle:        "cuIpcCloseMemHandle",
	cuMemcpyHtoDAsync:          "cuMemcpyHtoDAsync_v2",
	cuMemcpyDtoHAsync:          "cuMemcpyDtoHAsync_v2",
	cuMemcpyDtoDAsync:          "cuMemcpyDtoDAsync_v2",
	cuMemsetD8Async:            "cuMemsetD8Async",
	cuMemsetD16Async:           "cuMemsetD16Async",
	cuMemsetD32Async:           "cuMemsetD32Async",
	cuStreamCreate:             "cuStreamCreate",
	cuStreamDestroy:            "cuStreamDestroy_v2",
	cuStreamQuery:              "cuStreamQuery",
	cuStreamGetCtx:             "cuStreamGetCtx",
	cuStreamWaitEvent:          "cuStreamWaitEvent",
	cuStreamBeginCapture:       "cuStreamBeginCapture_v2",
	cuStreamEndCapture:         "cuStreamEndCapture",
	cuEventCreate:              "cuEventCreate",
	cuEventDestroy:             "cuEventDestroy_v2",
	cuEventRecord:              "cuEventRecord",
	cuEventQuery:               "cuEventQuery",
	cuEventElapsedTime:         "cuEventElapsedTime",
	cuGraphInstantiate:         "cuGraphInstantiateWithFlags",
	cuGraphLaunch:              "cuGraphLaunch",
	cuGraphExecDestroy:         "cuGraphExecDestroy",
	cuGraphDestroy:             "cuGraphDestroy",
	cuLinkCreate:               "cuLinkCreate_v2",
	cuLinkAddData:              "cuLinkAddData_v2",
	cuLinkComplete:             "cuLinkComplete",
	cuLinkDestroy:              "cuLinkDestroy",
	cuModuleLoadDataEx:         "cuModuleLoadDataEx",
	cuModuleUnload:             "cuModuleUnload",
	cuModuleGetFunction:        "cuModuleGetFunction",
	cuFuncGetAttribute:         "cuFuncGetAttribute",
	cuFuncSetAttribute:         "cuFuncSetAttribute",
	cuOccupancyMaxActiveBlocks: "cuOccupancyMaxActiveBlocksPerMultiprocessor",
	cuLaunchKernelEx:           "cuLaunchKernelEx",
	cuTensorMapEncodeTiled:     "cuTensorMapEncodeTiled",
	cuTensorMapEncodeIm2col:    "cuTensorMapEncodeIm2col",
	cuFuncGetParamInfo:         "cuFuncGetParamInfo",
}

// A Driver is the library, loaded and initialised.
type Driver struct {
	addr    [entries]uintptr // the address of each function; 0 if the driver lacks it
	version Version
}

// Load returns the driver. The library is loaded once and stays loaded. The failure has the code [fault.NoDriver],
// [fault.OldDriver] or [fault.NoDevice], or [fault.Failed] if the driver cannot start.
func Load() (*Driver, *Failure) { return load() }

var load = sync.OnceValues(func() (*Driver, *Failure) {
	lib, err := openFirst(driverFiles)
	if err != nil {
		return nil, &Failure{
			Code: fault.NoDriver, Message: "no CUDA driver: " + err.Error(),
			Hint: "install NVIDIA's driver, 525 or newer, on a machine with an NVIDIA card; start a container with --gpus all",
		}
	}
	d := &Driver{}
	for e, name := range symbols {
		d.addr[e] = symbol(lib, name)
	}
	if d.addr[cuInit] == 0 || d.addr[cuDriverGetVersion] == 0 {
		return nil, &Failure{Code: fault.NoDriver, Message: "the CUDA driver has no cuInit", Hint: "reinstall NVIDIA's driver"}
	}
	var v int32
	if err := d.call(cuDriverGetVersion, uintptr(unsafe.Pointer(&v))); err != nil {
		return nil, err
	}
	d.version = Version(v)
	if err := d.complete(); err != nil {
		return nil, err
	}
	if err := d.call(cuInit, 0); err != nil {
		return nil, err
	}
	return d, nil
})

// complete refuses a driver that lacks a function.
func (d *Driver) complete() *Failure {
	for e, name := range symbols {
		if d.addr[e] == 0 && entry(e) != cuFuncGetParamInfo {
			return &Failure{
				Code:    fault.OldDriver,
				Message: fmt.Sprintf("the CUDA driver has version %s and no %s; version %s is needed", d.version, name, Required),
				Hint:    "install NVIDIA's driver 525 or newer",
			}
		}
	}
	return nil
}

// openFirst opens the first file that exists. If none does, it returns the error of the first, the usual name.
func openFirst(files []string) (uintptr, error) {
	first := errors.New("none is known for this system")
	for i, name := range files {
		lib, err := open(name)
		if err == nil {
			return lib, nil
		}
		if i == 0 {
			first = err
		}
	}
	return 0, first
}

// Version returns the version of the driver's interface.
func (d *Driver) Version() Version { return d.version }

// call calls a function that needs no context. Objects that args point to do not move until it returns.
//
//go:uintptrescapes
func (d *Driver) call(e entry, args ...uintptr) *Failure {
	return d.check(e, int32(invoke(d.addr[e], args...)))
}

// text calls cuGetErrorName or cuGetErrorString.
func (d *Driver) text(e entry, status int32) string {
	if d.addr[e] == 0 {
		return ""
	}
	var s *byte
	if invoke(d.addr[e], uintptr(uint32(status)), uintptr(unsafe.Pointer(&s))) != 0 || s == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(s, n))
}
