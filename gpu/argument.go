package gpu

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"girih/ptx"
)

// parameter is a parameter of a kernel.
type parameter struct {
	name string
	typ  ptx.Type // "" if the type is not known or is an array of bytes
	size int64    // bytes
}

// parameters returns the parameters of fn.
func parameters(fn *ptx.Func) []parameter {
	params := make([]parameter, len(fn.Params))
	for i, v := range fn.Params {
		params[i] = parameter{name: string(v.Name), size: v.Size()}
		if len(v.Dims) == 0 && v.Vec == 0 {
			params[i].typ = v.Type
		}
	}
	return params
}

// String returns p as errors show it: "n (.u32)", or "n (4 bytes)".
func (p parameter) String() string {
	if p.typ != "" {
		return fmt.Sprintf("%s (.%s)", p.name, p.typ)
	}
	return fmt.Sprintf("%s (%d bytes)", p.name, p.size)
}

// addressable is memory with an address on the card: a *Buffer or a *Pinned.
type addressable interface {
	Addr() uint64
	device() *Device
	alive() error
}

func (b *Buffer[T]) alive() error { return b.r.alive("the buffer") }
func (h *Pinned[T]) alive() error { return h.r.alive("the pinned memory") }

// encode returns the bytes of each argument.
func (k *Kernel) encode(args []any) ([][]byte, error) {
	if k.known && len(args) != len(k.params) {
		return nil, wrong("kernel %s takes %d arguments, not %d", k.name, len(k.params), len(args))
	}
	all := make([][]byte, len(args))
	for i, a := range args {
		p := parameter{name: fmt.Sprint(i)}
		if k.known {
			p = k.params[i]
		}
		b, err := p.encode(k.r.device, a)
		if err != nil {
			return nil, wrong("argument %d of kernel %s, for parameter %s: %v", i, k.name, p, err)
		}
		all[i] = b
	}
	return all, nil
}

// encode returns the bytes of arg, the argument for p.
func (p parameter) encode(d *Device, arg any) ([]byte, error) {
	var b []byte
	kind := "" // the kind of number, if arg is a number
	switch a := arg.(type) {
	case addressable:
		if reflect.ValueOf(a).IsNil() {
			return nil, fmt.Errorf("a nil %T", a)
		}
		if err := a.alive(); err != nil {
			return nil, err
		}
		if err := d.same(a.device()); err != nil {
			return nil, err
		}
		b, kind = binary.NativeEndian.AppendUint64(nil, a.Addr()), "address"
	case TensorMap:
		b = a[:]
	case []byte:
		b = a
	default:
		var err error
		if b, kind, err = p.number(reflect.ValueOf(arg)); err != nil {
			return nil, err
		}
	}
	if p.size != 0 && int64(len(b)) != p.size {
		return nil, fmt.Errorf("%T has %d bytes", arg, len(b))
	}
	return b, p.class(kind)
}

// class rejects an integer for a float parameter and vice versa; .bN accepts both.
func (p parameter) class(kind string) error {
	if p.typ == "" || kind == "" {
		return nil
	}
	float := p.typ == ptx.F32 || p.typ == ptx.F64
	switch {
	case float && kind != "float":
		return fmt.Errorf("it is an %s", kind)
	case !float && kind == "float" && p.typ[0] != 'b':
		return fmt.Errorf("it is a float")
	case kind == "address" && p.size != 8:
		return fmt.Errorf("it is an address of 8 bytes")
	}
	return nil
}

// number returns the bytes of a number. If the value of an int fits the size of the parameter, it is encoded in that
// size.
func (p parameter) number(v reflect.Value) (b []byte, kind string, err error) {
	switch v.Kind() {
	case reflect.Int:
		b, err = p.int(v.Int())
		return b, "integer", err
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return low(uint64(v.Int()), v.Type().Size()), "integer", nil
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return low(v.Uint(), v.Type().Size()), "integer", nil
	case reflect.Float32:
		return low(uint64(math.Float32bits(float32(v.Float()))), 4), "float", nil
	case reflect.Float64:
		return low(math.Float64bits(v.Float()), 8), "float", nil
	}
	if !v.IsValid() {
		return nil, "", fmt.Errorf("it is nil")
	}
	return nil, "", fmt.Errorf("a %s is not an argument: pass a buffer, a sized number, an int, bytes or a tensor map",
		v.Type())
}

// int returns the bytes of n.
func (p parameter) int(n int64) ([]byte, error) {
	size := p.size
	if size == 0 {
		size = 8
	}
	if size != 1 && size != 2 && size != 4 && size != 8 {
		return nil, fmt.Errorf("it is an int")
	}
	bits := uint(8 * size)
	lo, hi := int64(-1)<<(bits-1), int64(math.MaxInt64)
	if bits < 64 {
		hi = int64(1)<<bits - 1
	}
	switch {
	case p.typ != "" && p.typ[0] == 's' && bits < 64:
		hi = int64(1)<<(bits-1) - 1
	case p.typ != "" && p.typ[0] == 'u':
		lo = 0
	}
	if n < lo || n > hi {
		return nil, fmt.Errorf("%d is not in [%d, %d]", n, lo, hi)
	}
	return low(uint64(n), uintptr(size)), nil
}

// low returns the lowest size bytes of x in little-endian order, the order of the host and the card.
func low(x uint64, size uintptr) []byte { return binary.LittleEndian.AppendUint64(nil, x)[:size] }
