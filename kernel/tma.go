package kernel

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/symbolic"
	"girih/tensormap"
)

// This file has the TMA copies of tensors.

// A mapParam is a parameter that is a tensor map; the launch fills in the address, the extents and the strides.
type mapParam struct {
	name             string
	plan             tensormap.Map // without the extents and strides
	extents, strides []address.Expr
	dims             []int // the dimension of the map, by axis
}

// TensorMap returns the tensor map of a parameter whose Map is set, for values of the kernel's integers by name and the
// address of the tensor. It returns [cute.CodeName] for another parameter, [cute.CodeUnknown] and [cute.CodeFact] as
// [Kernel.Grid], and the errors of [tensormap.Map.Err], for example for rows that are not a multiple of 16 bytes.
func (k *Kernel) TensorMap(name string, values map[string]int64, at uint64) (tensormap.Map, error) {
	i := slices.IndexFunc(k.maps, func(p mapParam) bool { return p.name == name })
	if i < 0 {
		return tensormap.Map{}, &cute.Error{
			Code: cute.CodeName, Op: "tensor_map", Msg: k.Name + " has no tensor map " + name,
		}
	}
	p, numbers := k.maps[i], k.values(values)
	m := p.plan
	m.Address, m.Dims, m.Strides = at, slices.Clone(m.Dims), slices.Clone(m.Strides)
	for axis, dim := range p.dims {
		n, err := p.extents[axis].At(numbers)
		if err != nil {
			return tensormap.Map{}, err
		}
		m.Dims[dim] = n
		if dim == 0 {
			continue
		}
		d, err := p.strides[axis].At(numbers)
		if err != nil {
			return tensormap.Map{}, err
		}
		m.Strides[dim-1] = d * m.Type.Bits() / 8
	}
	return m, m.Err()
}

// values returns the values of symbols from numbers by name.
func (k *Kernel) values(numbers map[string]int64) address.Values {
	at := address.Values{}
	for _, sym := range k.numbers {
		if x, ok := numbers[sym.Name()]; ok {
			at[sym] = x
		}
	}
	return at
}

// TmaTensor returns a tensor in global memory from which TMA copies take tiles: get_tma_tensor. Its elements are
// coordinates. Extents and strides are in elements, as in [K.Global]; one of the strides is 1, and the others are known
// to be multiples of 16 bytes. It fails with [cute.CodeRank] for another number of strides, or more than five modes,
// [cute.CodeType] for elements that no map supports, [cute.CodeNotRepresentable] without a stride of 1, and
// [cute.CodeNotDivisible] for rows that might not be a multiple of 16 bytes.
func (k *K) TmaTensor(name string, t dtype.Type, extents []Index, strides ...Index) (out Tensor) {
	const op = "get_tma_tensor"
	if len(strides) == 0 {
		next := Int(1)
		for _, e := range extents {
			strides = append(strides, next)
			next = next.Mul(e)
		}
	}
	d := emit.Step{Op: "tma_tensor", Name: name, Type: t, At: append(k.coords(extents...), k.coords(strides...)...)}
	defer k.does(&d).tensor(&out)
	if len(strides) != len(extents) || len(extents) == 0 || len(extents) > 5 {
		k.refuse(op, cute.CodeRank, "%s has %d extents and %d strides: expected 1 to 5, and as many", name, len(extents),
			len(strides))
		return Tensor{}
	}
	if _, err := tensormap.TypeOf(t); err != nil || t.Bits() < 8 {
		k.refuse(op, cute.CodeType, "%s has elements %v, which no tensor map of whole bytes has", name, t)
		return Tensor{}
	}
	r := &root{k: k, name: name, space: TensorMaps, elem: t, pointer: k.s.Const(0)}
	k.declared = append(k.declared, declared{name, r})
	out = Tensor{root: r, view: &view{}}
	contiguous := 0
	for i, e := range extents {
		x, extent := k.atLaunch(op, strides[i]), k.atLaunch(op, e)
		if x == k.s.Const(1) {
			contiguous++
		} else if per := 128 / int64(t.Bits()); !x.Divisible(per) {
			k.repair(fmt.Sprintf("state the fact Div: %d for the numbers in the stride, or pad the rows", per), &cute.Error{
				Code: cute.CodeNotDivisible, Op: op,
				Msg: fmt.Sprintf("mode %d of %s has the stride %v, which may be no multiple of 16 bytes, %d elements", i, name, x,
					per),
			})
		}
		r.strides, r.extents = append(r.strides, x), append(r.extents, extent)
		step := slices.Repeat([]address.Expr{k.s.Const(0)}, len(extents))
		step[i] = k.s.Const(1)
		out.origin = append(out.origin, k.s.Const(0))
		out.modes = append(out.modes, mode{extent: e, step: step, open: true})
	}
	if contiguous != 1 {
		k.advise("let one mode be contiguous, or copy with cp.async").refuse(op, cute.CodeNotRepresentable,
			"expected one stride of 1 of %s, found %d", name, contiguous)
	}
	return out
}

// A TmaAtom copies tiles between a tensor and shared memory: CuTe's Copy_Atom of SM90_TMA_LOAD or SM90_TMA_STORE, with
// its tensor map, a parameter of the kernel.
type TmaAtom struct {
	_ [0]func() // it cannot be compared
	k *K
	*tmaAtom
}

// A tmaAtom is what a TmaAtom with a kernel has. Copies of a TmaAtom share it: see [TmaAtom.apart].
type tmaAtom struct {
	name    string
	root    *root
	tile    []int64
	stage   cute.Composed // the tile in shared memory
	plan    tensormap.Plan
	issue   []tensormap.Instruction
	axes    []int // of the tensor, by dimension of the map
	address *address.Symbol
	bar     Barrier
	use     tmaUse
	step    emit.ID
	several bool // it writes to the blocks of the mask instead of its own block
	mask    Index
}

// apart returns a TmaAtom that can be changed.
func (a TmaAtom) apart() TmaAtom {
	c := *a.tmaAtom
	a.tmaAtom = &c
	return a
}

// MakeTmaAtom returns the copy of tiles of a tensor into, or out of, tiles of shared memory such as sA(_,_,0):
// make_tma_atom. Its tensor map is a parameter with the name of the tensor. If several blocks of a cluster need a tile,
// each copies one part and sends it to all of them: multicast is the number of these blocks, 1 for a tile of one block.
// A tile may have fewer modes than the tensor. It is then of the tensor's first modes, and the others are sliced before
// [K.TmaPartition], such as a matrix of a batch: LocalTile(Slice(A,_,_,l), ...).
//
// It fails with [cute.CodeType] for tensors in other memory or of other types, with the errors of [tensormap.Make], and
// with the errors of the map and a repair: for a box that is too large, or larger than the span of its swizzle.
func (k *K) MakeTmaAtom(g, s Tensor, tile []int64, multicast int64) TmaAtom {
	const op = "make_tma_atom"
	if !k.has(op, g, s) || !k.mappable(g, s, tile) {
		return TmaAtom{}
	}
	if multicast > 1 && multicast > k.clusterSize() {
		k.advise("say k.Cluster(%d, 1, 1) before", multicast).refuse(op, cute.CodeExtent,
			"a tile is shared by %d blocks, and the cluster has %d", multicast, k.clusterSize())
	}
	d := k.does(&emit.Step{Op: "make_tma_atom", Of: of(g, s), Tile: tile, N: multicast})
	defer d.end()
	a := TmaAtom{k: k, tmaAtom: &tmaAtom{name: g.root.name, root: g.root, tile: tile, step: d.id}}
	if multicast > 1 {
		a.several, a.mask = true, Int(1<<multicast-1)
	}
	l, ok := k.layoutOf(op, s)
	if !ok {
		return TmaAtom{}
	}
	var err error
	a.stage, err = s.root.outer.Map(func(cute.Layout) (cute.Layout, error) { return l, nil })
	k.fail(err)
	typ, err := tensormap.TypeOf(g.root.elem)
	k.fail(err)
	whole, stage := slices.Clone(tile), a.stage // in all modes of the tensor
	for range len(g.modes) - len(tile) {
		whole = append(whole, 1)
	}
	if len(whole) > len(tile) {
		stage, err = s.root.outer.Map(func(cute.Layout) (cute.Layout, error) { return withOnes(l, len(whole)) })
		k.fail(err)
	}
	sample, err := k.sample(g, whole)
	k.fail(err)
	a.plan, err = tensormap.Make(tensormap.Copy{
		Global: sample, Type: typ, Shared: stage, Tiler: cute.Ints(whole...), Multicast: multicast,
		Promotion: tensormap.Promotion128B,
	})
	k.fail(err)
	if k.err != nil {
		return TmaAtom{}
	}
	k.lawful(a)
	a.issue, err = a.plan.Issue(cute.Ints(make([]int64, len(whole))...))
	k.fail(err)
	if !k.addMap(a) {
		return TmaAtom{}
	}
	k.mapAddress(a)
	return a
}

// withOnes returns a layout with modes of one element after its own, n in all.
func withOnes(l cute.Layout, n int) (cute.Layout, error) {
	modes := slices.Clone(l.Modes())
	for len(modes) < n {
		modes = append(modes, cute.MustParse("1:0"))
	}
	return cute.MakeLayout(modes...)
}

// mappable refuses tensors and tiles that a tensor map cannot copy.
func (k *K) mappable(g, s Tensor, tile []int64) bool {
	const op = "make_tma_atom"
	if g.root.space != TensorMaps || s.root.space != Shared || g.root.elem != s.root.elem {
		k.refuse(op, cute.CodeType,
			"expected a tensor of TmaTensor and a tile of shared memory of one type, found %v of %v and %v of %v", g.root.space,
			g.root.elem, s.root.space, s.root.elem)
		return false
	}
	if len(tile) == 0 || len(tile) > len(g.modes) {
		k.advise("write an extent for each mode").refuse(op, cute.CodeRank,
			"expected a tile of up to the %d modes of %s, found %v", len(g.modes), g.root.name, tile)
		return false
	}
	return true
}

// addMap adds the tensor map of a copy to the kernel, and finds which dimension of the map each mode of the tensor is.
func (k *K) addMap(a TmaAtom) bool {
	a.axes = make([]int, a.plan.Map.Rank())
	p := mapParam{
		name: a.name, plan: a.plan.Map, extents: a.root.extents, strides: a.root.strides, dims: make([]int, len(a.root.extents)),
	}
	for axis, d := range a.plan.Coordinates.Stride().Modes() {
		terms := 0
		d.Terms(func(x int64, path []int) {
			if terms++; x != 1 || len(path) != 1 {
				terms = 9
				return
			}
			p.dims[axis], a.axes[path[0]] = path[0], axis
		})
		if terms != 1 {
			k.refuse("make_tma_atom", cute.CodeNotRepresentable, "mode %d of %s has no dimension of its own in the map: %v", axis,
				a.name, a.plan.Coordinates)
			return false
		}
	}
	k.maps = append(k.maps, p)
	return true
}

// mapAddress declares the parameter of the map.
func (k *K) mapAddress(a TmaAtom) {
	sym := k.symbol(a.name+".map", symbolic.Facts{Max: 1<<56 - 64, Div: 64}, levelParam)
	r := k.b.Reg(ptx.B64)
	p := Param{
		Name: a.name, Pointer: true, Map: true, Type: a.root.elem, Facts: symbolic.Facts{Div: 16},
	}
	k.checkName(p)
	k.params = append(k.params, p)
	name := k.b.Declare(&ptx.Var{Space: ptx.Param, Align: 64, Type: ptx.B8, Name: ptx.Name(a.name), Dims: []int64{128}})
	k.c.Hoist(&ptx.Instr{Op: "mov.b64", Operands: []ptx.Operand{r, name}})
	k.c.Hoist(&ptx.Instr{Op: "cvta.param.u64", Operands: []ptx.Operand{r, r}})
	k.c.DefineFirst(sym, r, 64)
	a.address = sym
	k.require(hopper)
}

// lawful refuses maps that the driver does not encode for any extents, and boxes that do not arrive in the tile's
// layout.
func (k *K) lawful(a TmaAtom) {
	const op = "make_tma_atom"
	for _, b := range a.plan.Map.Check() {
		k.repair(b.Change, &cute.Error{
			Code: cute.CodeNotRepresentable, Op: op, Msg: fmt.Sprintf("%s: %s (%s)", a.name, b.Text, b.Rule.Source()),
		})
	}
	for _, r := range a.plan.Map.Remarks() {
		if r.Fatal {
			k.repair(r.Change, &cute.Error{Code: cute.CodeNotRepresentable, Op: op, Msg: a.name + ": " + r.Text})
		}
	}
	if len(a.plan.Faults) > 0 {
		r := a.plan.Faults[0]
		k.repair(r.Change, &cute.Error{Code: cute.CodeNotRepresentable, Op: op, Msg: a.name + ": " + r.Text})
	}
}

// sample returns a layout with strides in the order of g's, and two tiles for each unknown extent: its box is right for
// all extents.
func (k *K) sample(g Tensor, tile []int64) (cute.Layout, error) {
	shape, stride := make([]cute.Tuple, len(tile)), make([]cute.Tuple, len(tile))
	next := int64(1)
	place := func(i int) {
		n, ok := g.root.extents[i].Int64()
		if !ok {
			n = 2 * max(tile[i], 1)
		}
		shape[i], stride[i] = cute.Int(n), cute.Int(next)
		next = (next*n + 127) / 128 * 128
	}
	for i, x := range g.root.strides {
		if x == k.s.Const(1) {
			place(i)
		}
	}
	for i, x := range g.root.strides {
		if x != k.s.Const(1) {
			place(i)
		}
	}
	if len(tile) == 1 {
		return cute.New(shape[0], stride[0])
	}
	sh, err := cute.MakeTuple(shape...)
	if err != nil {
		return cute.Layout{}, err
	}
	st, err := cute.MakeTuple(stride...)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(sh, st)
}

// Bytes returns how many bytes a tile brings to the barrier of each block, which the barrier must expect.
func (a TmaAtom) Bytes() int64 {
	if a.k == nil {
		return 0
	}
	return a.plan.Expect
}

// With returns the copy with a barrier that counts its bytes: tma.with(mbar).
func (a TmaAtom) With(b Barrier) TmaAtom {
	if a.k != nil {
		a = a.apart()
		a.bar = b
	}
	return a
}

// WithMask returns the copy with a barrier and a mask of the blocks of the cluster whose shared memory it writes, one
// bit each: tma.with(mbar, mask). Without it, these are the blocks 0, 1, ... that share the tile. It fails with
// [cute.CodeExtent] for blocks that the cluster does not have.
func (a TmaAtom) WithMask(b Barrier, mask Index) TmaAtom {
	if !a.k.live() {
		return a
	}
	if lo, hi := a.k.expr(mask).Range(); lo < 1 || hi >= 1<<a.k.clusterSize() {
		a.k.refuse("tma", cute.CodeExtent, "expected a mask of the %d blocks of the cluster, found %v, from %d to %d",
			a.k.clusterSize(), mask, lo, hi)
	}
	a = a.apart()
	a.bar, a.mask, a.several = b, mask, true
	return a
}

// TmaPartition returns a tensor and shared memory in the form of copies: ((tile),...) of each, where the modes after
// the tile are kept, such as (TMA,k) and (TMA,PIPE): tma_partition. Part is the number of the block among those that
// share the tile. It fails with [cute.CodeNotCongruent] for other tiles than the copy's, and
// [cute.CodeNotRepresentable] for shared memory under another layout, or not aligned for the swizzle.
func (k *K) TmaPartition(a TmaAtom, part Index, s, g Tensor) (tAgA, tAsA Tensor) {
	const op = "tma_partition"
	if !k.owns(op, aTmaAtom, a.k) || !k.has(op, g, s) {
		return g, s
	}
	n := len(a.tile)
	d := k.does(&emit.Step{Op: op, Of: append(of(s, g), a.step), At: k.coords(part), N: int64(n)})
	defer d.tensors(&tAgA, &tAsA)
	if g.root != a.root || len(g.modes) < n || len(s.modes) < n || s.root.space != Shared {
		k.refuse(op, cute.CodeNotCongruent, "expected a tile of %s and one of shared memory with %d modes, found %v and %v",
			a.name, n, g, s)
		return g, s
	}
	front := func(t Tensor) (cute.Layout, bool) {
		return k.layoutOf(op, Tensor{root: t.root, view: &view{origin: t.origin, modes: t.modes[:n]}})
	}
	ls, ok1 := front(s)
	lg, ok2 := front(g)
	if !ok1 || !ok2 {
		return g, s
	}
	for i, m := range lg.Modes() {
		if m.Size() != a.tile[i] {
			k.refuse(op, cute.CodeNotCongruent, "expected tiles of %v of %s, found %v", a.tile, a.name, lg.Shape())
			return g, s
		}
	}
	stage, err := s.root.outer.Map(func(cute.Layout) (cute.Layout, error) { return ls, nil })
	k.fail(err)
	if !stage.Equal(a.stage) {
		k.advise("take the stages of the tensor that MakeTmaAtom was given").refuse(op, cute.CodeNotRepresentable,
			"expected shared memory under the layout of the copy, %v, found %v", a.stage,
			stage)
		return g, s
	}
	gather := func(t Tensor, l cute.Layout) Tensor {
		whole, err := cute.MakeLayout(l)
		k.fail(err)
		modes := append([]mode{{layout: whole}}, t.modes[n:]...)
		v := t.at(slices.Clone(t.origin))
		v.modes = modes
		return Tensor{root: t.root, view: v}
	}
	tAgA, tAsA = gather(g, lg), gather(s, ls)
	k.shiftPart(a, part, tAgA, tAsA)
	k.space()
	return tAgA, tAsA
}

// shiftPart moves both sides to the part that a block copies for all that share the tile.
func (k *K) shiftPart(a TmaAtom, part Index, g, s Tensor) {
	x, per := k.expr(part), int(a.plan.Instructions)
	parts := int64(len(a.issue) / per)
	if lo, hi := x.Range(); lo < 0 || hi >= parts {
		k.refuse("tma_partition", cute.CodeExtent, "%s is copied by %d blocks, and the part is %v, from %d to %d", a.name,
			parts, part, lo, hi)
	}
	if parts == 1 {
		return
	}
	first, second := a.issue[0], a.issue[per]
	for i, in := range a.issue {
		p, j := int64(i/per), a.issue[i%per]
		if in.Shared-j.Shared != p*(second.Shared-first.Shared) {
			k.refuse("tma_partition", cute.CodeNotRepresentable, "the parts of %s are not equally far from each other", a.name)
		}
		for dim, c := range in.Coord {
			if c-j.Coord[dim] != p*(second.Coord[dim]-first.Coord[dim]) {
				k.refuse("tma_partition", cute.CodeNotRepresentable, "the parts of %s are not equally far from each other", a.name)
			}
		}
	}
	for dim, axis := range a.axes {
		g.origin[axis] = k.s.Add(g.origin[axis], k.s.Scale(x, second.Coord[dim]-first.Coord[dim]))
	}
	s.origin[0] = k.s.Add(s.origin[0], k.s.Scale(x, 8*(second.Shared-first.Shared)/int64(s.root.bits())))
}
