package diagnose

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
)

// fewValues examines a TiledCopy whose threads or values are not a multiple of the operation's.
func fewValues(f *failure) {
	fr := f.m.frame("TiledCopy", "make_tiled_copy_impl")
	if fr == nil {
		f.missing("the backtrace below the message: it names the Copy_Atom, LayoutCopy_TV and Tiler of the TiledCopy")
		return
	}
	tvText := fr.value("LayoutCopy_TV", "TV")
	tilerText := fr.value("Tiler", "ShapeTiler_MN")
	op, typ := f.atomOf(fr)
	f.operand("CopyOp", op)
	f.operand("value type", typ)
	f.operand("LayoutCopy_TV", tvText)
	f.operand("tiler", tilerText)
	a, err := atom.FindCopyAtom(op, typ)
	tv, ok := layout(tvText)
	if err != nil || !ok {
		f.missing("the copy operation and its value type, as in Copy_Atom<UniversalCopy<uint128_t>, half_t>")
		return
	}
	threads, values := modeSize(tv, 0), modeSize(tv, 1)
	if values%a.NumVal() != 0 {
		f.Pair = fmt.Sprintf("%d and %d", values, a.NumVal())
		f.Condition = fmt.Sprintf("a thread has %d values of %s in %s, one %s moves %d: %d mod %d = %d", values, typ, tv, op,
			a.NumVal(), values, a.NumVal(), values%a.NumVal())
	}
	if threads%a.Threads() != 0 {
		f.Pair = fmt.Sprintf("%d and %d", threads, a.Threads())
		f.Condition = fmt.Sprintf("the TiledCopy has %d threads, %d execute one %s: remainder %d", threads, a.Threads(), op,
			threads%a.Threads())
	}
	f.narrowerCopy(a, tv, tilerText, op)
	f.moreValues(a)
}

// atomOf returns the operation and the value type of a frame's Copy_Atom.
func (f *failure) atomOf(fr *frame) (op, typ string) {
	if t := fr.param("ValType"); t != "" {
		return copyOperation(fr.param("CopyOp")), typeName(t)
	}
	text := strings.TrimRight(strings.Trim(fr.param("Args", "CopyAtom", "Copy_Atom"), "{} "), " ")
	if i := strings.Index(text, "Copy_Atom<"); i >= 0 {
		text = strings.TrimSuffix(strings.TrimSpace(text[i+len("Copy_Atom<"):]), ">")
	}
	parts := split(text, ',')
	if len(parts) < 2 {
		return copyOperation(text), ""
	}
	return copyOperation(parts[0]), typeName(parts[len(parts)-1])
}

// modeSize returns the size of mode i, or 1.
func modeSize(l cute.Layout, i int) int64 {
	m, err := l.Mode(i)
	if err != nil {
		return 1
	}
	return max(m.Size(), 1)
}

// narrowerCopy offers the operation that needs the fewest instructions with the same threads and values. It tries
// operations of the same kind, and an assignment. The message does not give the layout of the memory, so narrowerCopy
// offers a repair for each mode along which the memory may be contiguous.
func (f *failure) narrowerCopy(a atom.CopyAtom, tv cute.Layout, tilerText, op string) {
	tile, err := cute.ParseTiler(strings.NewReplacer("<", "(", ">", ")").Replace(tilerText))
	if strings.Contains(tilerText, ":") {
		tile, err = cute.ParseTiler(tilerText)
	}
	if err != nil || f.isStopped() {
		return
	}
	one, err := atom.FindCopyAtom("UniversalCopy<"+a.Type.CPP()+">", a.Type.CPP())
	if err != nil {
		return
	}
	whole, err := atom.MakeTiledCopyTV(one, tv, tile)
	if err != nil {
		return
	}
	for _, memory := range ordersOf(whole.Shape()) {
		r := atom.CopyRequest{
			Memory: memory, Type: a.Type, LayoutTV: tv, Tile: tile, Direction: directionOf(a), Arch: a.Arch,
		}
		fits, err := atom.CopiesFor(r)
		if err != nil {
			continue
		}
		for _, c := range fits {
			if !c.Fits || c.Copy.Name == op || c.Copy.Kind != a.Kind && c.Copy.Kind != atom.UniversalCopy {
				continue
			}
			if f.fitting(c, r, tilerText, op) {
				break
			}
		}
	}
}

// fitting offers an operation in place of op, if girih computes that it fits.
func (f *failure) fitting(c atom.CopyFit, r atom.CopyRequest, tilerText, op string) bool {
	expr := fmt.Sprintf("fits(tiled_copy_tv(copy_atom(%q,%q),%v,%s), %v)",
		c.Copy.Name, r.Type.CPP(), r.LayoutTV, tilerText, r.Memory)
	v, err := f.result(expr)
	if err != nil || v != "true" {
		return false
	}
	reason := strings.TrimSuffix(strings.ToLower(c.Reason[:1])+c.Reason[1:], ".")
	f.repair(Repair{
		Say:  fmt.Sprintf("%s in place of %s, for memory such as %v: %s", c.Copy.Name, op, r.Memory, reason),
		Expr: expr, Result: v,
	})
	return true
}

// ordersOf returns two compact layouts of a tile: the last mode is contiguous in one, the first mode in the other.
func ordersOf(shape cute.Tuple) []cute.Layout {
	var list []cute.Layout
	for _, order := range []func(cute.Tuple) (cute.Layout, error){cute.LayoutRight, cute.LayoutLeft} {
		if l, err := order(shape); err == nil {
			list = append(list, l)
		}
	}
	return list
}

// directionOf returns the direction of an operation. An assignment counts as a load from shared memory.
func directionOf(a atom.CopyAtom) atom.CopyDirection {
	switch {
	case a.To.Space == atom.SharedMemory && a.From.Space == atom.GlobalMemory:
		return atom.GlobalToShared
	case a.To.Space == atom.SharedMemory:
		return atom.RegistersToShared
	}
	return atom.SharedToRegisters
}

// moreValues offers a value layout with enough values, if the text gives the thread and value layouts.
func (f *failure) moreValues(a atom.CopyAtom) {
	fr := f.m.frame("make_tiled_copy")
	if fr == nil {
		return
	}
	thr, okT := layout(fr.value("ThrLayout"))
	val, okV := layout(fr.value("ValLayout"))
	if !okT || !okV {
		return
	}
	for i := range val.Rank() {
		shape := modes(val.Shape().String())
		if len(shape) < 2 {
			return
		}
		n, ok := integer(shape[i])
		if !ok || n <= 1 && i+1 < val.Rank() {
			continue
		}
		shape[i] = fmt.Sprint(roundUp(n, a.NumVal()))
		text := "(" + strings.Join(shape, ",") + ")"
		s, err := cute.ParseTuple(text)
		if err != nil {
			continue
		}
		l, err := cute.LayoutLeft(s)
		if err != nil {
			continue
		}
		t, err := atom.MakeTiledCopy(a, thr, l)
		if err != nil {
			continue
		}
		for _, memory := range ordersOf(t.Shape()) {
			expr := fmt.Sprintf("fits(tiled_copy(copy_atom(%q,%q),%v,%v), %v)", a.Name, a.Type.CPP(), thr, l, memory)
			if v, err := f.result(expr); err == nil && v == "true" {
				f.repair(Repair{
					Say: fmt.Sprintf("the value layout %s: %d values for each thread, a tile of %s, for memory such as %v", text,
						modeSize(t.LayoutTV(), 1), t.Shape(), memory),
					Expr: expr, Result: v,
				})
				return
			}
		}
	}
}
