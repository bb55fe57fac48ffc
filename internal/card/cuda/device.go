package cuda

import (
	"bytes"
	"fmt"
	"unsafe"
)

// Attr is an attribute of a device, a CUdevice_attribute.
type Attr int

// Attributes, in the units that the driver has.
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
	SharedBytesPerBlock  Attr = 97 // the most that a kernel may opt in to
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

// Devices returns the number of cards. The error has the code [NoDevice] if there are none.
func (d *Driver) Devices() (int, error) {
	var n int32
	if err := d.call(cuDeviceGetCount, uintptr(unsafe.Pointer(&n))); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, &Error{Code: NoDevice, Message: "the CUDA driver knows no card", Hint: meanings[statusNoDevice].hint}
	}
	return int(n), nil
}

// Device returns the card of that number, from 0.
func (d *Driver) Device(i int) (*Device, error) {
	n, err := d.Devices()
	if err != nil {
		return nil, err
	}
	if i < 0 || i >= n {
		return nil, &Error{
			Code: NoDevice, Message: fmt.Sprintf("there is no device %d: the driver knows %d, from 0", i, n),
			Hint: meanings[statusNoDevice].hint,
		}
	}
	v := &Device{driver: d}
	if err := d.call(cuDeviceGet, uintptr(unsafe.Pointer(&v.id)), uintptr(i)); err != nil {
		return nil, err
	}
	return v, nil
}

// Driver returns the driver that knows v.
func (v *Device) Driver() *Driver { return v.driver }

// Name returns what NVIDIA calls the card.
func (v *Device) Name() (string, error) { return v.string(cuDeviceGetName) }

// BusID returns where the card is plugged in, "0000:00:05.0".
func (v *Device) BusID() (string, error) { return v.string(cuDeviceGetPCIBusID) }

func (v *Device) string(e entry) (string, error) {
	buf := make([]byte, 256)
	err := v.driver.call(e, uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), uintptr(v.id))
	if err != nil {
		return "", err
	}
	s, _, _ := bytes.Cut(buf, []byte{0})
	return string(s), nil
}

// Attr returns an attribute.
func (v *Device) Attr(a Attr) (int, error) {
	var n int32
	err := v.driver.call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&n)), uintptr(a), uintptr(v.id))
	return int(n), err
}

// Memory returns the bytes of memory that the card has.
func (v *Device) Memory() (int64, error) {
	var n uintptr
	err := v.driver.call(cuDeviceTotalMem, uintptr(unsafe.Pointer(&n)), uintptr(v.id))
	return int64(n), err
}

// Chip returns the architecture as PTX names it, "sm_90".
func (v *Device) Chip() (string, error) {
	major, err := v.Attr(Major)
	if err != nil {
		return "", err
	}
	minor, err := v.Attr(Minor)
	return fmt.Sprintf("sm_%d%d", major, minor), err
}
