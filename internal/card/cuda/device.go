package cuda

import (
	"bytes"
	"fmt"
	"unsafe"

	"girih/fault"
)

// Attr is an attribute of a device, a CUdevice_attribute.
type Attr int

// Attributes, in the units of the driver.
const (
	MaxThreadsPerBlock   Attr = 1
	MaxBlockX            Attr = 2
	MaxBlockY            Attr = 3
	MaxBlockZ            Attr = 4
	MaxGridX             Attr = 5
	MaxGridY             Attr = 6
	MaxGridZ             Attr = 7
	ClockKHz             Attr = 13
	SMs                  Attr = 16
	MemoryClockKHz       Attr = 36
	MemoryBusBits        Attr = 37
	L2Bytes              Attr = 38
	ThreadsPerSM         Attr = 39
	Major                Attr = 75
	Minor                Attr = 76
	SharedBytesPerSM     Attr = 81
	SharedBytesPerBlock  Attr = 97 // the maximum that a kernel can request with the opt-in attribute
	SupportsCluster      Attr = 120
	SupportsTensorMap    Attr = 127
	RegistersPerSM       Attr = 82
	StaticSharedPerBlock Attr = 8
)

// A Device is a card.
type Device struct {
	driver *Driver
	id     int32 // a CUdevice
}

// Devices returns the number of cards. The failure has the code [fault.NoDevice] if there are none.
func (d *Driver) Devices() (int, *Failure) {
	var n int32
	if err := d.call(cuDeviceGetCount, uintptr(unsafe.Pointer(&n))); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, &Failure{Code: fault.NoDevice, Message: "the CUDA driver knows no card", Hint: meanings[statusNoDevice].hint}
	}
	return int(n), nil
}

// Device returns card i, counted from 0.
func (d *Driver) Device(i int) (*Device, *Failure) {
	n, err := d.Devices()
	if err != nil {
		return nil, err
	}
	if i < 0 || i >= n {
		return nil, &Failure{
			Code: fault.NoDevice, Message: fmt.Sprintf("there is no device %d: the driver knows %d, from 0", i, n),
			Hint: meanings[statusNoDevice].hint,
		}
	}
	v := &Device{driver: d}
	if err := d.call(cuDeviceGet, uintptr(unsafe.Pointer(&v.id)), uintptr(i)); err != nil {
		return nil, err
	}
	return v, nil
}

// Driver returns the driver of v.
func (v *Device) Driver() *Driver { return v.driver }

// Name returns NVIDIA's name of the card.
func (v *Device) Name() (string, *Failure) { return v.string(cuDeviceGetName) }

// BusID returns the PCI address of the card: "0000:00:05.0".
func (v *Device) BusID() (string, *Failure) { return v.string(cuDeviceGetPCIBusID) }

func (v *Device) string(e entry) (string, *Failure) {
	buf := make([]byte, 256)
	err := v.driver.call(e, uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), uintptr(v.id))
	if err != nil {
		return "", err
	}
	s, _, _ := bytes.Cut(buf, []byte{0})
	return string(s), nil
}

// Attr returns an attribute.
func (v *Device) Attr(a Attr) (int, *Failure) {
	var n int32
	err := v.driver.call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&n)), uintptr(a), uintptr(v.id))
	return int(n), err
}

// Memory returns the size of the card's memory in bytes.
func (v *Device) Memory() (int64, *Failure) {
	var n uintptr
	err := v.driver.call(cuDeviceTotalMem, uintptr(unsafe.Pointer(&n)), uintptr(v.id))
	return int64(n), err
}

// Chip returns the architecture as PTX names it: "sm_90".
func (v *Device) Chip() (string, *Failure) {
	major, err := v.Attr(Major)
	if err != nil {
		return "", err
	}
	minor, err := v.Attr(Minor)
	return fmt.Sprintf("sm_%d%d", major, minor), err
}
