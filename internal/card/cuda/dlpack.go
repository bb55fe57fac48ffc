package cuda

import (
	"sync"
	"unsafe"
)

// DLTensor is the structure of that name of dlpack.h, versions 0.2 to 1.1, on machines of 64 bits.
type DLTensor struct {
	Data           uintptr
	Place          int32 // a DLDeviceType
	Device         int32
	Rank           int32
	Code, Bits     uint8 // Code is a DLDataTypeCode
	Lanes          uint16
	shape, strides *int64
	Offset         uint64 // bytes
}

// managed is DLManagedTensor, which has no version.
type managed struct {
	tensor  DLTensor
	context uintptr
	deleter uintptr
}

// versioned is DLManagedTensorVersioned. Its fields before the tensor stay in place in all versions.
type versioned struct {
	major, minor uint32
	context      uintptr
	deleter      uintptr
	flags        uint64
	tensor       DLTensor
}

// Flags of a versioned tensor.
const (
	DLReadOnly = 1 << 0
	DLPadded   = 1 << 2 // each element of fewer than 8 bits has a byte of its own
)

// The version of dlpack.h whose structures these are.
const (
	DLMajor = 1
	DLMinor = 1
)

// A DLManaged is a tensor that another library made.
type DLManaged struct {
	at           uintptr
	deleter      uintptr
	Major, Minor uint32 // 0 if the structure has no version
	Flags        uint64
	Tensor       *DLTensor // nil if the major version is not DLMajor
}

// pointer converts an address that did not come from Go.
func pointer[T any](at uintptr) *T { return *(**T)(unsafe.Pointer(&at)) }

// ReadManaged reads the DLManagedTensor at an address.
func ReadManaged(at uintptr) DLManaged {
	m := pointer[managed](at)
	return DLManaged{at: at, deleter: m.deleter, Tensor: &m.tensor}
}

// ReadVersioned reads the DLManagedTensorVersioned at an address.
func ReadVersioned(at uintptr) DLManaged {
	m := pointer[versioned](at)
	d := DLManaged{at: at, deleter: m.deleter, Major: m.major, Minor: m.minor, Flags: m.flags}
	if m.major == DLMajor {
		d.Tensor = &m.tensor
	}
	return d
}

// Extents returns copies of the shape and the strides. If the structure has no strides, they are nil.
func (t *DLTensor) Extents() (shape, strides []int64) {
	take := func(p *int64) []int64 {
		if p == nil {
			return nil
		}
		return append([]int64{}, unsafe.Slice(p, t.Rank)...)
	}
	return take(t.shape), take(t.strides)
}

// Release calls the deleter, if there is one, which frees the structure.
func (d DLManaged) Release() {
	if d.deleter != 0 {
		invoke(d.deleter, d.at)
	}
}

// A DLExport is a tensor for another library.
type DLExport struct {
	Tensor         DLTensor // without rank, shape and strides
	Shape, Strides []int64
	Done           func() // the library calls it once, on any thread
}

// exported keeps the structures of a [DLExport] by their addresses, until their deleters are called.
var exported sync.Map

type export struct {
	structure any
	done      func()
}

// deleter is the C function that frees the structure of a [DLExport]. A second call for one structure does nothing.
var deleter = sync.OnceValue(func() uintptr {
	return callback(func(at uintptr) uintptr {
		if e, ok := exported.LoadAndDelete(at); ok {
			e.(export).done()
		}
		return 0
	})
})

// tensor returns the tensor with copies of its extents, which are on the heap and do not move.
func (e DLExport) tensor() DLTensor {
	t := e.Tensor
	t.Rank = int32(len(e.Shape))
	// The extra element gives the slices an address even for rank 0.
	t.shape = unsafe.SliceData(append(append([]int64{}, e.Shape...), 0))
	t.strides = unsafe.SliceData(append(append([]int64{}, e.Strides...), 0))
	return t
}

// MakeManaged makes a DLManagedTensor and returns its address, or 0 if C cannot call Go on this system.
func (e DLExport) MakeManaged() uintptr {
	m := &managed{tensor: e.tensor(), deleter: deleter()}
	return e.keep(uintptr(unsafe.Pointer(m)), m)
}

// MakeVersioned makes a DLManagedTensorVersioned and returns its address, or 0 if C cannot call Go on this system.
func (e DLExport) MakeVersioned() uintptr {
	v := &versioned{major: DLMajor, minor: DLMinor, deleter: deleter(), tensor: e.tensor()}
	return e.keep(uintptr(unsafe.Pointer(v)), v)
}

func (e DLExport) keep(at uintptr, structure any) uintptr {
	if deleter() == 0 {
		return 0
	}
	exported.Store(at, export{structure, e.Done})
	return at
}
