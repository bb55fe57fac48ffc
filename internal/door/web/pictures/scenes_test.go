package pictures

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/service"
)

// A mode of a layout in the form that the tests use: a leaf, or a list of modes.
type mode struct {
	extent, stride int64
	modes          []mode
}

func (m mode) size() int64 {
	if m.modes == nil {
		return m.extent
	}
	n := int64(1)
	for _, k := range m.modes {
		n *= k.size()
	}
	return n
}

func (m mode) text(of func(mode) int64) string {
	if m.modes == nil {
		return fmt.Sprint(of(m))
	}
	parts := make([]string, len(m.modes))
	for k, x := range m.modes {
		parts[k] = x.text(of)
	}
	return "(" + strings.Join(parts, ",") + ")"
}

func (m mode) layout() string {
	return m.text(func(x mode) int64 { return x.extent }) + ":" + m.text(func(x mode) int64 { return x.stride })
}

// at returns the offset at an index in the mode, and the nested coordinate.
func (m mode) at(i int64) (*big.Int, string) {
	if m.modes == nil {
		return new(big.Int).Mul(big.NewInt(i), big.NewInt(m.stride)), fmt.Sprint(i)
	}
	sum, parts := new(big.Int), make([]string, len(m.modes))
	for k, x := range m.modes {
		n := x.size()
		var off *big.Int
		off, parts[k] = x.at(i % n)
		sum.Add(sum, off)
		i /= n
	}
	return sum, "(" + strings.Join(parts, ",") + ")"
}

func (m mode) deep() bool {
	for _, x := range m.modes {
		if x.modes != nil {
			return true
		}
	}
	return false
}

// elements returns the truth of a layout on a grid; change maps the offsets.
func (m mode) elements(change func(*big.Int) *big.Int) truth {
	top := m.modes
	if top == nil {
		top = []mode{m}
	}
	t := truth{rows: 1, cols: 1, warp: 32}
	panels := int64(1)
	for k, x := range top {
		switch k {
		case 0:
			t.rows = x.size()
		case 1:
			t.cols = x.size()
		default:
			panels *= x.size()
		}
	}
	inner := t.cols
	t.cols = t.cols*panels + panels - 1
	for i := range m.size() {
		off, nested := m.at(i)
		if change != nil {
			off = change(off)
		}
		e := element{offset: off, place: -1, lane: -1, coord: fmt.Sprint(i), row: i % t.rows}
		x := i / t.rows
		e.col = x%inner + x/inner*(inner+1)
		if m.deep() {
			e.nested = nested
		}
		if m.modes != nil && len(m.modes) != 1 {
			var parts []string
			rest := i
			for _, k := range m.modes {
				parts = append(parts, fmt.Sprint(rest%k.size()))
				rest /= k.size()
			}
			e.coord = "(" + strings.Join(parts, ",") + ")"
		}
		e.rowName, e.colName = fmt.Sprint(e.row), fmt.Sprint(x%inner)
		if len(top) > 0 && top[0].modes != nil {
			_, e.rowName = top[0].at(e.row)
		}
		if len(top) > 1 && top[1].modes != nil {
			_, e.colName = top[1].at(x % inner)
		}
		t.elements = append(t.elements, e)
	}
	return t
}

var picturedTypes = []string{"b1", "e2m1", "e2m3", "s8", "f16", "f32", "f64", "b128"}

func pick[T any](r *rand.Rand, xs []T) T { return xs[r.IntN(len(xs))] }

// randomLayout returns a nested layout of rank 0 to 4 with strides of all kinds, or a layout with a swizzle.
func randomLayout(r *rand.Rand) scene {
	swizzled := r.IntN(3) == 0
	left := int64(400)
	strides := []int64{
		0, 1, 1, 2, 3, 4, 5, 8, 16, 17, 59, 128, 1000, -1, -3, -8, -64, 1 << 20, 1<<40 + 1, 1<<53 - 1,
		1<<53 + 1, -(1<<53 + 1), math.MaxInt64 / 1000, 1<<60 + 1,
	}
	if swizzled || r.IntN(3) > 0 {
		strides = strides[:13]
	}
	var leaf func(depth int) mode
	leaf = func(depth int) mode {
		if depth > 0 && r.IntN(3) == 0 {
			m := mode{modes: []mode{}}
			for range 1 + r.IntN(3) {
				m.modes = append(m.modes, leaf(depth-1))
			}
			return m
		}
		n := 1 + r.Int64N(9)
		if n > left {
			n = 1
		}
		left /= n
		return mode{extent: n, stride: pick(r, strides)}
	}
	m := leaf(0)
	if rank := r.IntN(6); rank < 5 {
		m = mode{modes: []mode{}}
		for range rank {
			m.modes = append(m.modes, leaf(2))
		}
	}
	s := scene{request: service.InspectRequest{Expr: m.layout(), Type: pick(r, picturedTypes)}}
	if !swizzled {
		s.operands = []truth{m.elements(nil)}
		return s
	}
	b, base := 1+r.IntN(3), r.IntN(4)
	shift, offset := b+r.IntN(3), pick(r, []int64{0, 0, 4, 37})
	if r.IntN(4) == 0 {
		shift = -shift
	}
	s.request.Expr = fmt.Sprintf("Sw<%d,%d,%d> o %d o %s", b, base, shift, offset, m.layout())
	s.operands = []truth{m.elements(func(x *big.Int) *big.Int {
		n := x.Int64() + offset
		mask := int64(1)<<b - 1
		if shift >= 0 {
			n ^= (n >> (base + shift) & mask) << base
		} else {
			n ^= (n >> base & mask) << (base - shift)
		}
		return big.NewInt(n)
	})}
	return s
}

// randomLinear returns a linear layout given by its bases: to an offset, or to two dimensions, with or without
// threads.
func randomLinear(r *rand.Rand) scene {
	place := r.IntN(4) > 0
	dims := [][]string{
		{"register", "lane", "warp"},
		{"warp", "lane", "register"},
		{"lane", "register", "block"},
		{"register", "lane"},
		{"block"},
		{"lane", "warp"},
		{"register", "warp", "lane", "block"},
	}[r.IntN(7)]
	bits := [2]int{1 + r.IntN(3), 1 + r.IntN(3)}
	if !place {
		bits = [2]int{5, 0}
	}
	type base [2]int64
	var bases []base
	var sizes []int64
	var text []string
	for _, d := range dims {
		n := 1 + r.IntN(2)
		var list []string
		for range n {
			b := base{r.Int64N(1 << bits[0]), r.Int64N(1 << bits[1])}
			bases = append(bases, b)
			if place {
				list = append(list, fmt.Sprintf("[%d,%d]", b[0], b[1]))
			} else {
				list = append(list, fmt.Sprintf("[%d]", b[0]))
			}
		}
		sizes = append(sizes, 1<<n)
		text = append(text, d+"=["+strings.Join(list, ",")+"]")
	}
	out := fmt.Sprintf("out=[dim0:%d,dim1:%d]", 1<<bits[0], 1<<bits[1])
	if !place {
		out = fmt.Sprintf("out=[offset:%d]", 1<<bits[0])
	}
	s := scene{request: service.InspectRequest{
		Expr: "linear{" + strings.Join(text, ", ") + ", " + out + "}", Type: pick(r, picturedTypes),
	}}
	t := truth{rows: 1 << bits[0], cols: 1 << bits[1], warp: 32}
	held := false
	for k, d := range dims {
		if d == "lane" {
			t.warp = sizes[k]
		}
		held = held || place && d == "register"
	}
	panels := int64(1)
	if !place {
		t.rows, t.cols = sizes[0], 1
		if len(sizes) > 1 {
			t.cols = sizes[1]
		}
		for _, n := range sizes[min(2, len(sizes)):] {
			panels *= n
		}
	}
	inner := t.cols
	t.cols = inner*panels + panels - 1
	for i := range int64(1) << len(bases) {
		var v base
		for k, b := range bases {
			if i>>k&1 == 1 {
				v[0] ^= b[0]
				v[1] ^= b[1]
			}
		}
		e := element{place: -1, lane: -1, held: held}
		// The digits of the index, dimension by dimension; threads are the lanes first, then all other dimensions in
		// order.
		lane, others, lanes, scale, rest := int64(0), int64(0), int64(1), int64(1), i
		var digits []string
		for k, d := range dims {
			x := rest % sizes[k]
			rest /= sizes[k]
			digits = append(digits, fmt.Sprint(x))
			switch d {
			case "register":
				e.index = x
			case "lane":
				lane, lanes = x, sizes[k]
			default:
				others += x * scale
				scale *= sizes[k]
			}
		}
		e.thread = lane + lanes*others
		if place {
			e.row, e.col = v[0], v[1]
			e.rowName, e.colName = fmt.Sprint(e.row), fmt.Sprint(e.col)
			e.coord = fmt.Sprintf("(%d,%d)", e.row, e.col)
		} else {
			x := i / t.rows
			e.row, e.col = i%t.rows, x%inner+x/inner*(inner+1)
			e.rowName, e.colName = fmt.Sprint(e.row), fmt.Sprint(x%inner)
			e.offset = big.NewInt(v[0])
			e.coord = "(" + strings.Join(digits, ",") + ")"
			if len(digits) == 1 {
				e.coord = digits[0]
			}
		}
		t.elements = append(t.elements, e)
	}
	s.operands = []truth{t}
	return s
}

// randomTV returns a layout from threads and values to a tile. The bits of the tile's index are distributed among
// threads and values; some may belong to neither.
func randomTV(r *rand.Rand) scene {
	bits := []int{r.IntN(4), r.IntN(4), r.IntN(2)}[:1+r.IntN(3)]
	total := 0
	var tile []string
	for _, b := range bits {
		total += b
		tile = append(tile, fmt.Sprint(1<<b))
	}
	perm := r.Perm(total)
	cut := r.IntN(total + 1)
	side := func(list []int) mode {
		m := mode{modes: []mode{}}
		for _, b := range list {
			m.modes = append(m.modes, mode{extent: 2, stride: 1 << b})
		}
		if r.IntN(3) == 0 {
			m.modes = append(m.modes, mode{extent: 2 + r.Int64N(2), stride: 0})
		}
		if len(m.modes) == 0 || r.IntN(4) == 0 {
			m.modes = append(m.modes, mode{extent: 1, stride: 0})
		}
		return m
	}
	m := mode{modes: []mode{side(perm[:cut]), side(perm[cut:])}}
	s := scene{request: service.InspectRequest{
		Expr: m.layout(), Tile: "(" + strings.Join(tile, ",") + ")", Type: pick(r, picturedTypes),
	}}
	t := truth{rows: 1 << bits[0], warp: 32}
	t.cols = 1 << (total - bits[0])
	threads := m.modes[0].size()
	for i := range m.size() {
		off, _ := m.at(i)
		x := off.Int64()
		t.elements = append(t.elements, holder(x%t.rows, x/t.rows, i%threads, i/threads, x))
	}
	s.operands = []truth{t}
	return s
}

// oddTV are maps whose number of threads is not a power of two. These maps fold into blocks, and the last block
// is not full.
func oddTV() []scene {
	var all []scene
	for _, n := range [][2]int64{{96, 2}, {200, 3}, {33, 8}, {224, 1}, {1000, 16}, {7, 64}} {
		s := scene{request: service.InspectRequest{
			Expr: fmt.Sprintf("(%d,%d):(1,%d)", n[0], n[1], n[0]), Tile: fmt.Sprintf("(%d,%d)", n[0], n[1]),
		}}
		t := truth{rows: n[0], cols: n[1], warp: 32}
		for i := range n[0] * n[1] {
			t.elements = append(t.elements, holder(i%n[0], i/n[0], i%n[0], i/n[0], i))
		}
		s.operands = []truth{t}
		all = append(all, s)
	}
	return all
}

// holder is an element that a thread holds.
func holder(row, col, thread, value, place int64) element {
	return element{
		row: row, col: col, rowName: fmt.Sprint(row), colName: fmt.Sprint(col), coord: fmt.Sprintf("(%d,%d)", row, col),
		held: true, thread: thread, index: value, place: place, lane: -1,
	}
}

// basisLayouts are layouts whose values are coordinates.
func basisLayouts(t *testing.T) []scene {
	var all []scene
	for _, x := range []struct {
		text string
		m    mode
	}{
		{"(4,8):(1@0,1@1)", mode{modes: []mode{{extent: 4}, {extent: 8}}}},
		{"(4,(2,3)):(1@1,(1@0,2@0))", mode{modes: []mode{{extent: 4}, {modes: []mode{{extent: 2}, {extent: 3}}}}}},
		{"(2,3,2):(1@0,1@1,2@2)", mode{modes: []mode{{extent: 2}, {extent: 3}, {extent: 2}}}},
		{"5:1@0", mode{extent: 5}},
	} {
		l := cute.MustParse(x.text)
		o := x.m.elements(nil)
		for i := range o.elements {
			c, err := l.Eval(cute.Int(int64(i)))
			if err != nil {
				t.Fatal(err)
			}
			o.elements[i].offset, o.elements[i].value = nil, c.String()
		}
		all = append(all, scene{service.InspectRequest{Expr: x.text}, []truth{o}})
	}
	return all
}

// limits are layouts at the limits of the page: the largest number of elements, and offsets of 64 bits.
func limits() []scene {
	var all []scene
	for _, m := range []mode{
		{extent: 131072, stride: 1},
		{modes: []mode{{extent: 1, stride: 0}, {extent: 131072, stride: 1}}},
		{modes: []mode{{extent: 256, stride: 512}, {extent: 512, stride: 1}}},
		{modes: []mode{{extent: 2, stride: 1}, {extent: 2, stride: 2}, {extent: 32768, stride: 4}}},
		{extent: 1, stride: 0},
		{modes: []mode{}},
		{modes: []mode{{modes: []mode{}}, {extent: 3, stride: 2}}},
		{extent: 2, stride: math.MaxInt64 - 1},
		{extent: 2, stride: math.MinInt64 + 1},
		{modes: []mode{{extent: 2, stride: 1 << 53}, {extent: 2, stride: 1}}},
		{modes: []mode{{extent: 2, stride: 1<<53 - 1}, {extent: 1, stride: 1}}},
		{modes: []mode{{extent: 2, stride: 1<<62 - 1}, {extent: 2, stride: -(1 << 62)}}},
		{modes: []mode{{extent: 4, stride: 1 << 50}, {extent: 8, stride: 1}}},
	} {
		for _, typ := range []string{"e2m1", "e2m3", "f64"} {
			if m.size() > 100_000 && typ != "e2m1" {
				continue
			}
			all = append(all, scene{service.InspectRequest{Expr: m.layout(), Type: typ}, []truth{m.elements(nil)}})
		}
	}
	return all
}

// atoms are a few instructions of each architecture.
func atoms(t *testing.T) []scene {
	var all []scene
	kinds := make(map[string]int)
	for m := range atom.MMAs() {
		kind := fmt.Sprint(m.Arch, " ", m.ThrID, " ", m.AFrom, m.BFrom, m.CFrom)
		if kinds[kind]++; kinds[kind] > 3 {
			continue
		}
		target, err := banks.ParseTarget(m.Arch)
		warp := int64(32)
		if err == nil {
			warp = int64(target.WarpSize())
		}
		s := scene{request: service.InspectRequest{Expr: fmt.Sprintf("mma(%q)", m.Name)}}
		ok := true
		for _, o := range []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC} {
			tv := m.TV(o)
			if tv.Rank() != 2 {
				continue
			}
			rows, cols := m.Extents(o)
			if n, err := tv.Cosize(); err == nil && n > rows*cols {
				cols = n / rows
			}
			space := [...]atom.Space{atom.OperandA: m.AFrom, atom.OperandB: m.BFrom, atom.OperandC: m.CFrom}[o]
			x := held(t, o.String(), tv, rows, cols, warp, space)
			for i := range x.elements {
				if lane, err := m.ThrID.At(x.elements[i].thread); err == nil && !x.space && m.ThrID.String() == "(4,2):(1,16)" {
					x.elements[i].lane = lane
				}
			}
			ok = ok && len(x.elements) <= 1<<15
			s.operands = append(s.operands, x)
		}
		if ok {
			all = append(all, s)
		}
	}
	return all
}

// held is the truth of an operand: from its thread-value layout, or the whole tile if it is in memory.
func held(t *testing.T, name string, tv cute.Layout, rows, cols, warp int64, space atom.Space) truth {
	x := truth{name: name, rows: rows, cols: cols, warp: warp, space: space != atom.Registers && space != atom.Anywhere}
	if x.space {
		for i := range rows * cols {
			e := holder(i%rows, i/rows, 0, 0, -1)
			e.held = false
			x.elements = append(x.elements, e)
		}
		return x
	}
	th, err := tv.Mode(0)
	if err != nil {
		t.Fatal(err)
	}
	val, err := tv.Mode(1)
	if err != nil {
		t.Fatal(err)
	}
	for v := range val.Size() {
		for k := range th.Size() {
			at, err := tv.At(k + v*th.Size())
			if err != nil {
				t.Fatal(err)
			}
			x.elements = append(x.elements, holder(at%rows, at/rows, k, v, at))
		}
	}
	return x
}

// tiled are TiledMMAs and TiledCopies.
func tiled(t *testing.T) []scene {
	var all []scene
	for _, expr := range []string{
		`tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`,
		`tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), <32,32,16>)`,
		`tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,1,2), <_,(8,2,2):(1,16,8),_>)`,
		`tiled_mma("SM80_16x8x8_F32TF32TF32F32_TN", (1,4,1):(1,1,0))`,
		`tiled_mma("SM80_8x8x4_F64F64F64F64_TN", (4,1,1))`,
		`tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (2,2,1))`,
		`tiled_mma("SM70_8x8x4_F32F16F16F32_NT", (2,2,1), <16,32,4>)`,
		`tiled_mma("SM90_64x64x16_F32F16F16_SS", (2,1,1))`,
		`tiled_mma("SM90_64x64x16_F32F16F16_RS", (1,1,1))`,
		`tiled_mma("v_mfma_f32_16x16x16_f16", (2,2,1))`,
		`tiled_mma("UniversalFMA<float,float,float,float>", (16,8,1))`,
	} {
		v, ok := valueOf(t, expr).(eval.TiledMMA)
		if !ok {
			t.Fatalf("%s is no TiledMMA", expr)
		}
		m := v.TiledMMA
		warp := int64(32)
		if target, err := banks.ParseTarget(m.Atom().Arch); err == nil {
			warp = int64(target.WarpSize())
		}
		tile := m.TileShape()
		s := scene{request: service.InspectRequest{Expr: expr}}
		for o, axes := range map[atom.Operand][2]int{atom.OperandA: {0, 2}, atom.OperandB: {1, 2}, atom.OperandC: {0, 1}} {
			tv, err := m.LayoutTV(o)
			if err != nil {
				t.Fatal(err)
			}
			in := m.Atom()
			space := [...]atom.Space{atom.OperandA: in.AFrom, atom.OperandB: in.BFrom, atom.OperandC: in.CFrom}[o]
			x := held(t, o.String(), tv, tile[axes[0]], tile[axes[1]], warp, space)
			x.atoms = !x.space && in.TV(o).Size() > 1
			for i := range x.elements {
				e := &x.elements[i]
				if th, err := m.Thread(e.thread); err == nil && !x.space {
					vmnk := th.VMNK()
					e.atom = [4]int64{vmnk[1], vmnk[2], vmnk[3], e.index * m.Atom().Threads() / in.TV(o).Size()}
				}
			}
			// The owners of the tile's elements are computed in a second way.
			for _, e := range x.elements[:min(len(x.elements), 64)] {
				if x.space {
					break
				}
				owners, err := m.Owners(o, cute.Ints(x.rows, x.cols), e.row, e.col)
				if err != nil {
					t.Fatal(err)
				}
				found := false
				for _, h := range owners {
					found = found || h.Thread == e.thread && h.Value == e.index
				}
				if !found {
					t.Errorf("%s: thread %d, value %d is no owner of (%d,%d): %v", expr, e.thread, e.index, e.row, e.col, owners)
				}
			}
			s.operands = append(s.operands, x)
		}
		order := map[string]int{"A": 0, "B": 1, "C": 2}
		sorted := make([]truth, 3)
		for _, o := range s.operands {
			sorted[order[o.name]] = o
		}
		s.operands = sorted
		all = append(all, s)
	}
	for _, expr := range []string{
		`tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"), (16,8):(8,1), (1,8))`,
		`tiled_copy(copy_atom("SM75_U32x4_LDSM_N","f16"), (32,4):(1,32), (1,8))`,
		`tiled_copy(copy_atom("SM75_U16x8_LDSM_T","f16"), (4,8):(8,1), (8,4):(4,1))`,
		`tiled_copy(copy_atom("UniversalCopy<uint32_t>","f32"), (8,16):(16,1))`,
	} {
		body := valueOf(t, expr)
		v, ok := body.(eval.TiledCopy)
		if !ok {
			t.Fatalf("%s is no TiledCopy", expr)
		}
		shape := v.Shape().Modes()
		rows, _ := shape[0].Product()
		total, _ := v.Shape().Product()
		s := scene{request: service.InspectRequest{Expr: expr}}
		s.operands = []truth{
			held(t, "S", v.LayoutSrcTV(), rows, total/rows, 32, atom.Registers),
			held(t, "D", v.LayoutDstTV(), rows, total/rows, 32, atom.Registers),
		}
		for o, of := range []cute.Layout{v.Atom().ValSrc, v.Atom().ValDst} {
			x, n := &s.operands[o], v.Atom().Threads()
			x.atoms = n > 1
			for i := range x.elements {
				x.elements[i].atom = [4]int64{x.elements[i].thread / n, 0, 0, x.elements[i].index * n / of.Size()}
			}
		}
		all = append(all, s)
	}
	return all
}
