package diagnose

import (
	"fmt"
	"strings"

	"girih"
	"girih/atom"
)

// fewValues looks at a TiledCopy whose threads or values are no multiple of the operation's.
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
		f.Condition = fmt.Sprintf("a thread has %d values of %s in %s, one %s moves %d: %d mod %d = %d", values, typ, tv, op, a.NumVal(), values, a.NumVal(), values%a.NumVal())
	}
	if threads%a.Threads() != 0 {
		f.Pair = fmt.Sprintf("%d and %d", threads, a.Threads())
		f.Condition = fmt.Sprintf("the TiledCopy has %d threads, %d execute one %s: remainder %d", threads, a.Threads(), op, threads%a.Threads())
	}
	f.narrowerCopy(a, tv, tilerText, op)
	f.moreValues(a)
}

// atomOf returns the operation and the value type of a Copy_Atom in a frame.
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

// modeSize returns the size of a mode, or 1.
func modeSize(l girih.Layout, i int) int64 {
	m, err := l.Mode(i)
	if err != nil {
		return 1
	}
	return max(m.Size(), 1)
}

// narrowerCopy offers the widest narrower operation with which the same threads and values make a TiledCopy.
func (f *failure) narrowerCopy(a atom.CopyAtom, tv girih.Layout, tilerText, op string) {
	tile, err := girih.ParseTiler(strings.NewReplacer("<", "(", ">", ")").Replace(tilerText))
	if strings.Contains(tilerText, ":") {
		tile, err = girih.ParseTiler(tilerText)
	}
	base, _, ok := strings.Cut(op, "<")
	if err != nil || !ok {
		base = "UniversalCopy"
	}
	if err != nil {
		return
	}
	for _, bits := range []int{64, 32, 16, 8} {
		name := fmt.Sprintf("%s<uint%d_t>", base, bits)
		c, err := atom.FindCopyAtom(name, a.Type.CPP())
		if err != nil || c.NumVal() >= a.NumVal() {
			continue
		}
		if t, err := atom.MakeTiledCopyTV(c, tv, tile); err == nil {
			f.repair(Repair{
				Say:  fmt.Sprintf("%s in place of %s: %d value(s) at a time, which divides %d", name, op, c.NumVal(), modeSize(tv, 1)),
				Expr: "shape(" + t.LayoutTV().String() + ")", Result: t.LayoutTV().Shape().String(),
			})
			return
		}
	}
}

// moreValues offers a value layout with enough values, if the text has the thread and value layouts.
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
		s, err := girih.ParseTuple(text)
		if err != nil {
			continue
		}
		l, err := girih.LayoutLeft(s)
		if err != nil {
			continue
		}
		if t, err := atom.MakeTiledCopy(a, thr, l); err == nil {
			f.repair(Repair{
				Say:  fmt.Sprintf("the value layout %s: %d values for each thread, a tile of %s", text, modeSize(t.LayoutTV(), 1), t.Shape()),
				Expr: "size(" + l.String() + ")", Result: fmt.Sprint(roundUp(n, a.NumVal())),
			})
			return
		}
	}
}
