package follow

import (
	"strconv"
	"strings"

	"girih/dtype"
	"girih/kernel"
)

// A Buffer is a tensor in global memory, as the launch describes it.
type Buffer struct {
	Name    string // as the recording names it
	Type    string
	Bits    int
	Extents []int64  // in elements; nil if they are not known
	Strides []int64  // as many as Extents
	Names   []string // of the modes: m, k
}

// A Region is a tensor in shared memory.
type Region struct {
	Name, Type, Layout string
	Bits               int
	Offset, Bytes      int64 // from the beginning of the kernel's shared memory
}

// A Kernel is what is known of a kernel in addition to its run.
type Kernel struct {
	Tensors   []Buffer
	Shared    []Region
	Barriers  []Region // arrays of mbarriers
	Fragments []kernel.Fragment
	Report    *kernel.Report // nil for PTX of others
	Threads   int64
	Target    string // of the module: sm_80; "" if it is not known
}

// Of describes a kernel with its report, for values of its integers.
func Of(k *kernel.Kernel, values map[string]int64, r *kernel.Report) Kernel {
	out := Kernel{Fragments: k.Fragments(), Report: r, Threads: k.Threads, Target: k.Module.Target[0]}
	for _, a := range k.Signature() {
		if !a.Pointer {
			continue
		}
		t := Buffer{Name: a.Name, Type: a.Type.String(), Bits: a.Type.Bits()}
		t.Extents, t.Names = numbersOf(a.Extents, values), a.Extents
		t.Strides = numbersOf(a.Strides, values)
		if t.Extents == nil || len(t.Strides) != len(t.Extents) || len(t.Extents) == 0 {
			t.Extents, t.Strides, t.Names = nil, nil, nil
		}
		out.Tensors = append(out.Tensors, t)
	}
	out.Shared, out.Barriers = regions(r.Placed), regions(r.Arrays)
	return out
}

// regions describes pieces of shared memory.
func regions(list []kernel.Placed) (out []Region) {
	for _, p := range list {
		bits := 8
		if t, err := dtype.Parse(p.Type); err == nil {
			bits = t.Bits()
		}
		out = append(out, Region{
			Name: p.Name, Type: p.Type, Layout: p.Layout, Bits: bits, Offset: p.Offset, Bytes: p.Bytes,
		})
	}
	return out
}

// numbersOf evaluates integers and names of integers; nil if there is a formula of another kind.
func numbersOf(texts []string, values map[string]int64) []int64 {
	var out []int64
	for _, text := range texts {
		n, ok := productOf(text, values)
		if !ok {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// productOf evaluates a product of integers and names: "m·n", "2·k", "64".
func productOf(text string, values map[string]int64) (int64, bool) {
	out := int64(1)
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r == '·' || r == '*' }) {
		f = strings.TrimSpace(f)
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			v, ok := values[f]
			if !ok {
				return 0, false
			}
			n = v
		}
		out *= n
	}
	return out, text != ""
}
