package sim

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

const (
	maxString = 1 << 16 // the longest string that printf or an assertion reads, in bytes
	maxPrint  = 1 << 18 // the most bytes that one thread prints at once
	maxOutput = 1 << 24 // the most bytes that a run prints
)

// builtin returns the reader for calls of a function that the driver provides, or nil.
func builtin(name string) func(d *decoder, site *callSite) (step, error) {
	var do func(w *warp, lane int, args []uint64) (uint64, status)
	n := 0
	switch name {
	case "vprintf":
		n, do = 2, (*warp).printf
	case "__assertfail":
		n, do = 5, (*warp).assert
	case "malloc":
		n, do = 1, (*warp).malloc
	case "free":
		n, do = 1, (*warp).free
	default:
		return nil
	}
	return func(_ *decoder, site *callSite) (step, error) {
		if len(site.args) != n || len(site.returns) > 1 {
			return nil, fmt.Errorf("%s takes %d arguments, found %d", name, n, len(site.args))
		}
		return func(w *warp, mask uint32) status {
			for m := mask; m != 0; m &= m - 1 {
				lane := bits.TrailingZeros32(m)
				args := make([]uint64, n)
				for i, a := range site.args {
					args[i] = w.argument(a, lane)
				}
				v, st := do(w, lane, args)
				if st != advance {
					return st
				}
				for _, r := range site.returns {
					w.setArgument(r, lane, v)
				}
			}
			return advance
		}, nil
	}
}

// argument returns the value of an argument of up to 8 bytes.
func (w *warp) argument(a parcel, lane int) uint64 {
	if len(a.slots) > 0 {
		return w.f.regs[a.slots[0]][lane]
	}
	v, s := uint64(0), &w.local[lane]
	for i := range uint64(min(a.size, 8)) {
		v |= s.read(w.f.local-localStart+uint64(a.offset)+i, 1) << (8 * i)
	}
	return v
}

func (w *warp) setArgument(a parcel, lane int, v uint64) {
	if len(a.slots) > 0 {
		w.f.regs[a.slots[0]][lane] = v & ones(int(8*a.unit))
		w.f.def[a.slots[0]] |= 1 << lane
		return
	}
	s := &w.local[lane]
	for i := range uint64(min(a.size, 8)) {
		at := w.f.local - localStart + uint64(a.offset) + i
		s.write(at, 1, v>>(8*i))
		s.define(at, 1)
	}
}

// fetch reads n bytes at a generic address.
func (w *warp) fetch(lane int, address uint64, n int) (uint64, bool) {
	seg, off := w.target(&access{unit: n, count: 1}, lane, address)
	if seg == nil {
		return 0, false
	}
	return seg.read(off, n), true
}

// text reads a string up to its zero byte.
func (w *warp) text(lane int, address uint64) (string, bool) {
	var b strings.Builder
	for i := range uint64(maxString) {
		c, ok := w.fetch(lane, address+i, 1)
		if !ok {
			return "", false
		}
		if c == 0 {
			return b.String(), true
		}
		b.WriteByte(byte(c))
	}
	w.fail(KindArgument, 1<<lane, "a string of more than %d bytes at address 0x%x", maxString, address)
	return "", false
}

func (w *warp) assert(lane int, args []uint64) (uint64, status) {
	var s [4]string
	for i, a := range []uint64{args[0], args[1], args[3]} {
		var ok bool
		if s[i], ok = w.text(lane, a); !ok {
			return 0, failed
		}
	}
	return 0, w.fail(KindAssert, 1<<lane, "assertion %q failed in %s, %s:%d", s[0], s[2], s[1], uint32(args[2]))
}

func (w *warp) malloc(lane int, args []uint64) (uint64, status) {
	m := w.block.grid.memory
	n := int64(min(args[0], maxHeap+1))
	if m.given += n; m.given > maxHeap {
		m.given -= n
		return 0, advance // the result of malloc if the heap is full
	}
	b, err := m.Alloc(fmt.Sprintf("malloc(%d)", n), n)
	if err != nil {
		return 0, advance
	}
	w.block.grid.keep(segmentBytes)
	m.heap[b.Address()] = true
	return b.Address(), advance
}

func (w *warp) free(lane int, args []uint64) (uint64, status) {
	m := w.block.grid.memory
	if args[0] == 0 {
		return 0, advance
	}
	if !m.heap[args[0]] {
		return 0, w.fail(KindArgument, 1<<lane, "free of address 0x%x, which malloc did not return or free took back", args[0])
	}
	delete(m.heap, args[0])
	s := m.find(args[0])
	if s != nil {
		m.total -= int64(len(s.data))
		m.given -= int64(len(s.data))
		s.data, s.def, s.name = nil, nil, "freed "+s.name
	}
	w.hint = nil
	for _, x := range w.block.warps {
		x.hint = nil
	}
	return 0, advance
}

// printf formats as C does. The arguments follow one another in memory, each at a multiple of its size.
func (w *warp) printf(lane int, args []uint64) (uint64, status) {
	if w.block.grid.isStopped() { // the run ends after this turn, in which the warp may print hundreds of times
		return 0, advance
	}
	format, ok := w.text(lane, args[0])
	if !ok {
		return 0, failed
	}
	at, count := args[1], uint64(0)
	var out []byte
	for i := 0; i < len(format) && len(out) <= maxPrint && !w.block.grid.isStopped(); i++ {
		if format[i] != '%' {
			out = append(out, format[i])
			continue
		}
		d := newDirective(format[i+1:])
		if d.verb == 0 {
			break
		}
		i += d.n
		if d.verb == '%' {
			out = append(out, '%')
			continue
		}
		at = uint64(up(int64(at), int64(d.size)))
		v, ok := w.fetch(lane, at, d.size)
		if !ok {
			return 0, failed
		}
		at += uint64(d.size)
		count++
		if d.verb == 'd' || d.verb == 'i' {
			v = uint64(extend(v, 8*d.size))
		}
		s, ok := w.directive(lane, d.flags+string(d.verb), v)
		if !ok {
			return 0, failed
		}
		out = append(out, s...)
	}
	// The text counts three times, since the output grows and is copied into a string.
	if g := w.block.grid; len(g.output)+len(out) <= maxOutput && g.keep(3*len(out)) {
		g.output = append(g.output, out...)
	}
	return count, advance
}

// A directive is one conversion of a format, without its '%'.
type directive struct {
	flags string // including the width and the precision
	verb  byte   // 0 if the format ends before the verb
	n     int    // the length of the directive in bytes
	size  int    // the size of its argument in bytes
}

// newDirective reads the directive at the start of text.
func newDirective(text string) directive {
	d := directive{size: 4}
	for d.n < len(text) && strings.IndexByte("-+ #0123456789.", text[d.n]) >= 0 {
		d.n++
	}
	d.flags = text[:d.n]
	for d.n < len(text) && strings.IndexByte("hlqjzt", text[d.n]) >= 0 {
		if text[d.n] != 'h' {
			d.size = 8
		}
		d.n++
	}
	if d.n == len(text) {
		return d
	}
	d.verb = text[d.n]
	d.n++
	if strings.IndexByte("eEfFgGaAsp", d.verb) >= 0 {
		d.size = 8
	}
	return d
}

// directive formats one argument.
func (w *warp) directive(lane int, spec string, v uint64) (string, bool) {
	flags, verb := spec[:len(spec)-1], spec[len(spec)-1]
	if len(flags) > 8 { // such a width could fill all memory
		flags = ""
	}
	switch verb {
	case 'd', 'i':
		return fmt.Sprintf("%"+flags+"d", int64(v)), true
	case 'u':
		return fmt.Sprintf("%"+flags+"d", v), true
	case 'x', 'X', 'o', 'c':
		return fmt.Sprintf("%"+flags+string(verb), v), true
	case 'p':
		return fmt.Sprintf("0x%x", v), true
	case 's':
		s, ok := w.text(lane, v)
		return fmt.Sprintf("%"+flags+"s", s), ok
	case 'e', 'E', 'f', 'F', 'g', 'G':
		return fmt.Sprintf("%"+flags+string(verb), math.Float64frombits(v)), true
	}
	return fmt.Sprintf("%%!%c", verb), true
}
