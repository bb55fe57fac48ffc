package descriptor

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// Check returns an error for the first field that tcgen05.mma does not support, with the rule and its section of the
// PTX ISA: [cute.CodeType] for types, majors, signs and other properties that the kind does not have, [cute.CodeExtent]
// for M and N. Its hint is the value in the nearest legal descriptor.
func (i Instruction) Check() error {
	_, err := i.legal()
	if err != nil {
		return err
	}
	return nil
}

// Nearest returns the legal descriptor that differs least: fields that the kind does not have become 0, types become
// types of the kind, M and N the nearest legal ones. It returns the errors of [Instruction.Check] if there is no kind.
func (i Instruction) Nearest() (Instruction, error) {
	if i.Kind == 0 || i.Kind > KindMXF4NVF4 {
		return i, i.Check()
	}
	near, _ := i.legal()
	return near, nil
}

// legal repairs the descriptor field by field, and returns the first thing that it had to repair.
func (i Instruction) legal() (Instruction, *cute.Error) {
	if i.Kind == 0 || i.Kind > KindMXF4NVF4 {
		return i, fail(cute.CodeType, "expected a kind of tcgen05.mma")
	}
	r := repairs{i: i}
	r.types()
	r.flags()
	r.shape()
	r.scales()
	return r.i, r.first
}

// repairs is a descriptor under repair, and the first thing that was wrong.
type repairs struct {
	i     Instruction
	first *cute.Error
}

// wrong keeps the error if it is the first one.
func (r *repairs) wrong(e *cute.Error) {
	if r.first == nil {
		r.first = e
	}
}

func (r *repairs) types() {
	k := r.i.Kind
	for _, x := range []struct {
		name string
		t    *dtype.Type
	}{{"A", &r.i.A}, {"B", &r.i.B}} {
		if own := k.Types(); !slices.Contains(own, *x.t) {
			r.wrong(withHint(fail(cute.CodeType, "%s of kind::%v is %s, found %v (PTX ISA 9.7.16.2.1, table 39)", x.name, k,
				typeList(own), *x.t),
				"the nearest is %v", own[0]))
			*x.t = own[0]
		}
	}
	results := k.results()
	best := dtype.F32
	if k == KindI8 {
		best = dtype.S32
	}
	if _, ok := results[r.i.D]; !ok {
		r.wrong(withHint(fail(cute.CodeType, "D of kind::%v is not %v (PTX ISA 9.7.16.2.1, table 39)", k, r.i.D),
			"it is %v", best))
		r.i.D = best
	}
	if k == KindF16 && r.i.D == dtype.F16 && (r.i.A != dtype.F16 || r.i.B != dtype.F16) {
		r.wrong(withHint(fail(cute.CodeType, "D of kind::f16 is f16 only for A and B of f16, found %v and %v (PTX ISA 9.7.16.2.1, table 39)",
			r.i.A, r.i.B), "it is f32"))
		r.i.D = dtype.F32
	}
}

func (r *repairs) flags() {
	k := r.i.Kind
	none := func(is *bool, ok bool, what, where string) {
		if *is && !ok {
			r.wrong(withHint(fail(cute.CodeType, "kind::%v has no %s (PTX ISA %s)", k, what, where), "leave it out"))
			*is = false
		}
	}
	none(&r.i.NegateA, k != KindI8, "negation of A", "9.7.16.10.1, table 49")
	none(&r.i.NegateB, k != KindI8, "negation of B", "9.7.16.10.1, table 49")
	none(&r.i.Saturate, k == KindI8, "saturation", "9.7.16.4.2, table 42")
	none(&r.i.K96, k >= KindMXF4, "K of 96", "9.7.16.4.2, table 44")
	none(&r.i.K96, !r.i.Sparse, "K of 96 of a sparse A", "9.7.16.4.2, table 44")
	none(&r.i.WS, !k.Scaled(), "tcgen05.mma.ws", "9.7.16.2.1, table 39")
	r.major("A", &r.i.AMajor, r.i.A)
	r.major("B", &r.i.BMajor, r.i.B)
	most := 0
	if r.i.Sparse && (k == KindF16 || k == KindTF32) {
		most = 3
	}
	if r.i.Selector < 0 || r.i.Selector > most {
		r.wrong(withHint(fail(cute.CodeType, "the sparsity selector is 0 to %d here, found %d (PTX ISA 9.7.16.10.8.4)",
			most, r.i.Selector), "it is 0"))
		r.i.Selector = 0
	}
	if !slices.Contains(shifts, r.i.MaxShift) || r.i.MaxShift != 0 && !r.i.WS {
		r.wrong(withHint(fail(cute.CodeType,
			"a maximum shift is 8, 16 or 32 of tcgen05.mma.ws, found %d (PTX ISA 9.7.16.4.2, table 42)", r.i.MaxShift),
			"it is 0"))
		r.i.MaxShift = 0
	}
	if r.i.Group < 0 || r.i.Group > 2 || r.i.WS && r.i.Group == 2 {
		r.wrong(withHint(fail(cute.CodeType,
			"cta_group is 1 or 2, and 1 of tcgen05.mma.ws, found %d (PTX ISA 9.7.16.2.1, table 39)", r.i.Group), "it is 1"))
		r.i.Group = 1
	}
}

// major makes a matrix K-major if the kind does not transpose its type.
func (r *repairs) major(name string, major *atom.Major, t dtype.Type) {
	k := r.i.Kind
	if *major == atom.KMajor || k < KindMXF4 && t.Bits() >= 8 {
		return
	}
	r.wrong(withHint(fail(cute.CodeType, "%s of %v of kind::%v is K-major, found MN-major (PTX ISA 9.7.16.10.1, table 49, and 9.7.16.10.3, table 52)",
		name, t, k), "lay it out K-major"))
	*major = atom.KMajor
}

func (r *repairs) shape() {
	ms, ns := r.i.extents()
	if !slices.Contains(ms, r.i.M) {
		near := closest(ms, r.i.M)
		r.wrong(withHint(fail(cute.CodeExtent, "M of kind::%v%s is %s, found %d (PTX ISA 9.7.16.2.1, table 39)", r.i.Kind,
			r.i.manner(), numbers(ms), r.i.M),
			"the nearest is %d", near))
		r.i.M = near
		_, ns = r.i.extents()
	}
	if !slices.Contains(ns, r.i.N) {
		near := closest(ns, r.i.N)
		r.wrong(withHint(fail(cute.CodeExtent, "N of kind::%v%s with M of %d is %s, found %d (PTX ISA 9.7.16.2.1, table 39, and 9.7.16.10.1, table 50)",
			r.i.Kind, r.i.manner(), r.i.M, numbers(ns), r.i.N), "the nearest is %d", near))
		r.i.N = near
	}
}

// manner names the instructions to which the extents apply.
func (i Instruction) manner() string {
	switch {
	case i.WS:
		return " with .ws"
	case i.CTAs() == 2:
		return " with cta_group::2"
	}
	return " with cta_group::1"
}

// extents returns the values of M and N that the instruction can have.
func (i Instruction) extents() (ms, ns []int64) {
	steps := func(from, step int64) {
		for n := from; n <= 256; n += step {
			ns = append(ns, n)
		}
	}
	bytes := (i.Kind == KindF8F6F4 || i.Kind == KindMXF8F6F4 || i.Kind == KindI8) && i.BMajor == atom.MNMajor
	switch {
	case i.WS:
		ms, ns = []int64{32, 64, 128}, []int64{64, 128, 256}
		if i.Sparse {
			ns = ns[:2]
		}
	case i.CTAs() == 2:
		ms = []int64{128, 256}
		if i.Kind.Scaled() && (i.Sparse || i.K96) {
			ms = ms[1:]
		}
		step := int64(16)
		if i.Kind == KindI8 || bytes {
			step = 32
		}
		steps(step, step)
	default:
		ms = []int64{64, 128}
		if i.Kind.Scaled() {
			ms = ms[1:]
		}
		switch {
		case bytes:
			steps(16, 16)
		case i.Kind == KindI8:
			ns = []int64{8, 16, 24}
			steps(32, 16)
		default:
			steps(8, 8)
		}
	}
	return ms, ns
}

// closest returns the nearest of the numbers, and the larger one of two at the same distance.
func closest(ns []int64, n int64) int64 {
	best := ns[0]
	for _, x := range ns {
		if max(x-n, n-x) <= max(best-n, n-best) {
			best = x
		}
	}
	return best
}

// numbers writes a few numbers, or first, step and last of many.
func numbers(ns []int64) string {
	switch {
	case len(ns) == 1:
		return fmtInt(ns[0])
	case len(ns) <= 3:
		out := fmtInt(ns[0])
		for _, n := range ns[1 : len(ns)-1] {
			out += ", " + fmtInt(n)
		}
		return out + " or " + fmtInt(ns[len(ns)-1])
	case ns[2]-ns[1] != ns[len(ns)-1]-ns[len(ns)-2]:
		return "8, 16, 24, 32, 48, ... in steps of 16 to 256"
	}
	return fmtInt(ns[0]) + " to 256 in steps of " + fmtInt(ns[1]-ns[0])
}

func (r *repairs) scales() {
	k := r.i.Kind
	if !k.Scaled() {
		if r.i.Scale != 0 || r.i.ScaleA != 0 || r.i.ScaleB != 0 {
			r.wrong(withHint(fail(cute.CodeType, "kind::%v has no scale factors (PTX ISA 9.7.16.4.2, table 42)", k), "leave them out"))
			r.i.Scale, r.i.ScaleA, r.i.ScaleB = 0, 0, 0
		}
		return
	}
	if r.i.Scale != dtype.UE8M0 && (k != KindMXF4NVF4 || r.i.Scale != dtype.UE4M3) {
		r.wrong(withHint(fail(cute.CodeType,
			"scale factors of kind::%v are ue8m0, or ue4m3 of mxf4nvf4, found %v (PTX ISA 9.7.16.10.7.1, table 55)", k, r.i.Scale),
			"they are ue8m0"))
		r.i.Scale = dtype.UE8M0
	}
	ids, section := r.i.scaleIDs()
	for _, id := range []*int{&r.i.ScaleA, &r.i.ScaleB} {
		if !slices.Contains(ids, *id) {
			r.wrong(withHint(fail(cute.CodeType, "the ID of scale factors %v of kind::%v with K of %d is %s, found %d (PTX ISA %s)",
				r.i.Scale, k, r.i.K(), strings.Join(strings.Fields(strings.Trim(fmt.Sprint(ids), "[]")), ", "), *id, section), "it is 0"))
			*id = 0
		}
	}
}

// scaleIDs returns the IDs that scale factors may have, by the number of factors in a word of tensor memory, and the
// section of the PTX ISA. Factors of ue8m0 cover 32 elements, or 16, which is stricter; factors of ue4m3 cover 16.
func (i Instruction) scaleIDs() (ids []int, section string) {
	switch {
	case i.Kind == KindMXF8F6F4:
		return []int{0, 1, 2, 3}, "9.7.16.10.7.2.1, scale_vec::1X"
	case i.K96 && i.Scale == dtype.UE8M0:
		return []int{0, 1, 2, 3}, "9.7.16.10.7.2.4, block32"
	case i.K96:
		return []int{0, 2}, "9.7.16.10.7.2.5, block16"
	case i.Scale == dtype.UE8M0:
		return []int{0, 2}, "9.7.16.10.7.2.2, scale_vec::2X"
	}
	return []int{0}, "9.7.16.10.7.2.3, scale_vec::4X"
}
