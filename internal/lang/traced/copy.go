package traced

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// flat returns the tensor of a memory, for elements of a pointer.
func (t *Tracer) flat(v interp.Value) (kernel.Tensor, int64, bool) {
	if of, ok := t.of(v); ok {
		return of.t, 0, true
	}
	s, ok := interp.StorageOf(v)
	if !ok || s.Null || isPredicate(s.Type) {
		return kernel.Tensor{}, 0, false
	}
	root, start := t.root(s, "")
	all, err := cute.New(cute.Int(s.Elements-start), cute.Int(1))
	if err != nil {
		return kernel.Tensor{}, 0, false
	}
	return t.k.View(root.t, kernel.Int(0), all), s.Start - start, true
}

// load returns an element.
func (t *Tracer) load(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) < 2 {
		return t.loadAll(c)
	}
	if x, ok := t.of(c.Args[0]); ok && x.axes != nil || ok && x.preds != nil {
		return t.apply(c)
	}
	if of := t.columnsAt(c.Args[0]); of != nil && len(c.Args) == 2 {
		return t.retrieve(of), nil
	}
	of, first, ok := t.flat(c.Args[0])
	at, okAt := t.spots(of, c.Args[1:], first)
	if !ok || !okAt {
		return nil, unknown(c)
	}
	if first != 0 {
		at[0] = at[0].Add(kernel.Int(first))
	}
	return t.value(t.k.Load(of, at...)), nil
}

// store assigns to an element.
func (t *Tracer) store(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) < 3 {
		return t.storeAll(c)
	}
	n := len(c.Args) - 1
	at, okAt := coordinates(c.Args[1:n])
	if x, ok := t.of(c.Args[0]); ok && okAt && x.preds != nil {
		return interp.None{}, t.setPredicate(x, c.Args[n], at...)
	}
	of, first, ok := t.flat(c.Args[0])
	if ok && !okAt {
		at, okAt = t.spots(of, c.Args[1:n], first)
	}
	if !ok || !okAt {
		return nil, unknown(c)
	}
	v, ok := t.number(c.Args[n], of.Elem())
	if !ok {
		return nil, unknown(c)
	}
	if first != 0 {
		at[0] = at[0].Add(kernel.Int(first))
	}
	t.k.Store(v, of, at...)
	return interp.None{}, nil
}

func (t *Tracer) clear(c *interp.TracedCall) (interp.Value, error) {
	of, ok := t.of(c.Args[len(c.Args)-1])
	if !ok || len(c.Args) != 1 {
		return nil, unknown(c)
	}
	if of.preds != nil {
		return interp.None{}, t.setAll(of, t.constant(0))
	}
	t.k.Clear(of.t)
	return interp.None{}, nil
}

func (t *Tracer) fill(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 2 {
		return nil, unknown(c)
	}
	of, ok := t.of(c.Args[0])
	x, isNumber := interp.Number(c.Args[1])
	if !ok || !isNumber {
		return nil, unknown(c)
	}
	if of.preds != nil {
		return interp.None{}, t.setAll(of, c.Args[1])
	}
	t.k.Fill(of.t, x)
	return interp.None{}, nil
}

// axpby implements axpby(alpha, x, beta, y).
func (t *Tracer) axpby(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 4 {
		return nil, unknown(c)
	}
	x, okX := t.of(c.Args[1])
	y, okY := t.of(c.Args[3])
	if !okX || !okY {
		return nil, unknown(c)
	}
	alpha, okA := t.number(c.Args[0], y.t.Elem())
	beta, okB := t.number(c.Args[2], y.t.Elem())
	if !okA || !okB {
		return nil, unknown(c)
	}
	t.k.Axpby(alpha, x.t, beta, y.t)
	return interp.None{}, nil
}

// gemm implements gemm(a, b, c), gemm(mma, a, b, c) and gemm(mma, d, a, b, c) with d = c.
func (t *Tracer) gemm(c *interp.TracedCall) (interp.Value, error) {
	args := c.Args
	mma, hasMMA := atom.TiledMMA{}, false
	if len(args) > 0 {
		switch of := valueOf(args[0]).(type) {
		case eval.TiledMMA:
			mma, hasMMA = of.TiledMMA, true
		case eval.MMAAtom:
			one, err := cute.LayoutLeft(cute.Ints(1, 1, 1))
			if err == nil {
				mma, err = atom.MakeTiledMMA(of.MMA, one, nil)
			}
			if err != nil {
				return nil, err
			}
			hasMMA = true
		}
		if hasMMA {
			args = args[1:]
		}
	}
	if len(args) == 4 {
		d, _ := t.of(args[0])
		s, _ := t.of(args[3])
		if d == nil || s == nil || d != s {
			return nil, refuse(cute.CodeNotRepresentable, "give gemm the same tensor as D and C",
				"gemm with different tensors D and C is not followed")
		}
		args = args[1:]
	}
	if len(args) != 3 {
		return nil, unknown(c)
	}
	var of [3]kernel.Tensor
	for i, v := range args {
		x, ok := t.of(v)
		if !ok {
			return nil, unknown(c)
		}
		of[i] = x.t
	}
	if hasMMA {
		return interp.None{}, t.gemmTiled(c.Args[0], mma, of)
	}
	t.k.Gemm(of[0], of[1], of[2])
	return interp.None{}, nil
}

// copy implements copy(src, dst), and copy(by, src, dst) with a tiled copy or a copy atom.
func (t *Tracer) copy(c *interp.TracedCall) (interp.Value, error) {
	n := len(c.Args)
	if n > 0 {
		if tma, ok := c.Args[0].(*interp.TMA); ok {
			return t.copyTMA(c, tma)
		}
	}
	if pred := c.Keys["pred"]; pred != nil && n > 1 && len(c.Keys) == 1 {
		return t.copyWith(pred, c)
	}
	if n < 2 || n > 3 || len(c.Keys) > 0 {
		return nil, unknown(c)
	}
	src, okS := t.of(c.Args[n-2])
	dst, okD := t.of(c.Args[n-1])
	if !okS || !okD {
		return nil, unknown(c)
	}
	if n == 2 {
		assumed := int64(8) // bits: CuTe does not assume that layouts of run time are aligned
		if isStatic(c.Args[0]) && isStatic(c.Args[1]) {
			assumed = 128
		}
		return interp.None{}, t.copyPlain(c, src, dst, assumed)
	}
	return t.copyBy(c, src, dst)
}

// copyBy copies with a tiled copy or a copy atom.
func (t *Tracer) copyBy(c *interp.TracedCall, src, dst *tensor) (interp.Value, error) {
	switch by := valueOf(c.Args[0]).(type) {
	case eval.TiledCopy:
		if isAutomatic(by.Atom()) {
			return interp.None{}, t.copyPlain(c, src, dst, 128)
		}
		t.k.CopyTiled(by.TiledCopy, src.t, dst.t)
		return interp.None{}, nil
	case eval.CopyAtom:
		if isAutomatic(by.CopyAtom) {
			return interp.None{}, t.copyPlain(c, src, dst, 128)
		}
		tiled, err := atom.MakeTiledCopyTV(by.CopyAtom, by.ValRef, cute.Int(by.ValRef.Size()))
		if err != nil {
			return nil, err
		}
		t.k.CopyTiled(tiled, src.t, dst.t)
		return interp.None{}, nil
	}
	return nil, unknown(c)
}

// copyWith implements copy(by, src, dst, pred=) of the CuTe DSL.
func (t *Tracer) copyWith(pred interp.Value, c *interp.TracedCall) (interp.Value, error) {
	own := *c
	own.Keys = nil
	if pred == (interp.None{}) {
		return t.copy(&own)
	}
	own.Args = slices.Insert(slices.Clone(c.Args), len(c.Args)-2, pred)
	return t.copyIf(&own)
}

// autovecCopy implements autovec_copy(src, dst) of the CuTe DSL, which is as wide as the alignment allows. A tensor in
// global memory is aligned as from_dlpack states, and otherwise to its elements.
func (t *Tracer) autovecCopy(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 2 || len(c.Keys) > 0 {
		return nil, unknown(c)
	}
	src, okS := t.of(c.Args[0])
	dst, okD := t.of(c.Args[1])
	if !okS || !okD {
		return nil, unknown(c)
	}
	assumed := int64(128)
	for i, of := range []*tensor{src, dst} {
		s, ok := interp.StorageOf(c.Args[i].(*interp.Traced).Shadow)
		if of.space == atom.GlobalMemory && ok {
			assumed = gcd(assumed, max(8*s.Align, int64(s.Type.Bits())))
		}
	}
	return interp.None{}, t.copyPlain(c, src, dst, assumed)
}

// isAutomatic reports whether a copy chooses its width.
func isAutomatic(by atom.CopyAtom) bool { return by.Kind == atom.UniversalCopy && by.From.Unit < 8 }

// isStatic reports whether C++ knows the layout of a tensor when it compiles the program.
func isStatic(v interp.Value) bool {
	x, ok := v.(*interp.Traced)
	return ok && interp.IsStatic(x.Shadow)
}

// copyPlain copies with the widest accesses that CuTe takes for pointers that are aligned to the assumed bits.
func (t *Tracer) copyPlain(c *interp.TracedCall, src, dst *tensor, assumed int64) error {
	elem := src.t.Elem()
	if elem != dst.t.Elem() {
		t.k.Convert(src.t, dst.t)
		return nil
	}
	bits := int64(elem.Bits())
	n := len(c.Args)
	if assumed > bits {
		var layouts [2]interp.Value
		for i, v := range c.Args[n-2:] {
			var err error
			if layouts[i], err = c.Ordinary("layout", v.(*interp.Traced).Shadow); err != nil {
				return err
			}
		}
		v, err := c.Ordinary("max_common_vector", layouts[:]...)
		if err != nil {
			return err
		}
		if common, ok := interp.Integer(v); ok {
			assumed = gcd(common*bits, assumed)
		}
	}
	if assumed < bits || src.space == atom.Registers && dst.space == atom.Registers {
		assumed = bits
	}
	by, err := vectorCopy(assumed, elem.CPP(), bits)
	if err != nil {
		return err
	}
	t.k.CopyTiled(by, src.t, dst.t)
	return nil
}

// vectorCopy returns the copy of one thread with accesses of some bits.
func vectorCopy(bits int64, elem string, width int64) (atom.TiledCopy, error) {
	by, err := atom.FindCopyAtom(fmt.Sprintf("UniversalCopy<uint%d_t>", bits), elem)
	if err != nil {
		return atom.TiledCopy{}, err
	}
	thread, err := cute.LayoutLeft(cute.Ints(1))
	if err != nil {
		return atom.TiledCopy{}, err
	}
	values, err := cute.LayoutLeft(cute.Ints(bits / width))
	if err != nil {
		return atom.TiledCopy{}, err
	}
	return atom.MakeTiledCopy(by, thread, values)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
