package cuda

import (
	"sync"
	"unsafe"

	"girih/fault"
)

// NVML is the library that reports the state of cards: clocks, temperature, power. A system may have the driver
// without it.
type NVML struct {
	addr    map[string]uintptr
	version string
}

// LoadNVML returns the library, which is loaded once and stays loaded. The failure has the code [fault.NoDriver] or
// [fault.Failed].
func LoadNVML() (*NVML, *Failure) { return loadNVML() }

var loadNVML = sync.OnceValues(func() (*NVML, *Failure) {
	lib, err := openFirst(nvmlFiles)
	if err != nil {
		return nil, &Failure{Code: fault.NoDriver, Message: "no NVML: " + err.Error()}
	}
	n := &NVML{addr: map[string]uintptr{}}
	for _, name := range []string{
		"nvmlInit_v2", "nvmlSystemGetDriverVersion", "nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetClockInfo",
		"nvmlDeviceGetMaxClockInfo", "nvmlDeviceGetTemperature", "nvmlDeviceGetPowerUsage",
	} {
		if n.addr[name] = symbol(lib, name); n.addr[name] == 0 {
			return nil, &Failure{Code: fault.Failed, Message: "NVML has no " + name}
		}
	}
	if err := n.call("nvmlInit_v2"); err != nil {
		return nil, err
	}
	buf := make([]byte, 96)
	if err := n.call("nvmlSystemGetDriverVersion", uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf))); err != nil {
		return nil, err
	}
	n.version = text(buf)
	return n, nil
})

//go:uintptrescapes
func (n *NVML) call(name string, args ...uintptr) *Failure {
	if status := int32(invoke(n.addr[name], args...)); status != 0 {
		return &Failure{Code: fault.Failed, Call: name, Status: int(status)}
	}
	return nil
}

// Version returns the version of NVIDIA's driver: 580.159.04.
func (n *NVML) Version() string { return n.version }

// A State has the clocks, temperature and power of a card at one moment. A field that NVML does not report is 0.
type State struct {
	SMMHz, MemoryMHz       int // clocks
	MaxSMMHz, MaxMemoryMHz int // the maximum clocks
	Celsius                int
	Watts                  float64
}

// State returns the state of v.
func (n *NVML) State(v *Device) State {
	bus, err := v.BusID()
	if err != nil {
		return State{}
	}
	var h uintptr
	id := []byte(bus + "\x00")
	err = n.call("nvmlDeviceGetHandleByPciBusId_v2", uintptr(unsafe.Pointer(&id[0])), uintptr(unsafe.Pointer(&h)))
	if err != nil {
		return State{}
	}
	const sm, memory, gpu = 1, 2, 0
	read := func(name string, what uintptr) int {
		var x uint32
		_ = n.call(name, h, what, uintptr(unsafe.Pointer(&x))) // x stays 0 if it fails
		return int(x)
	}
	s := State{
		SMMHz: read("nvmlDeviceGetClockInfo", sm), MemoryMHz: read("nvmlDeviceGetClockInfo", memory),
		MaxSMMHz: read("nvmlDeviceGetMaxClockInfo", sm), MaxMemoryMHz: read("nvmlDeviceGetMaxClockInfo", memory),
		Celsius: read("nvmlDeviceGetTemperature", gpu),
	}
	var milliwatts uint32
	_ = n.call("nvmlDeviceGetPowerUsage", h, uintptr(unsafe.Pointer(&milliwatts)))
	s.Watts = float64(milliwatts) / 1000
	return s
}
