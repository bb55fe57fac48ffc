package atom

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file finds operations by their PTX instruction, including those for which CuTe has no struct:
// mma.sp of sm80 and sm89, m16n8k16 on types of 8 bits, and wgmma on single bits.

// FindPTX returns the operation of a PTX opcode with all its modifiers: mma.sync and mma.sp.sync (also with
// ordered_metadata) of sm70 to sm90, wgmma.mma_async and wgmma.mma_async.sp.
//
//	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32        SM80_16x8x16_F32F16F16F32_TN
//	mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32     SM80_SPARSE_16x8x32_F32F16F16F32_TN, which CuTe lacks
//	wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16      SM90_64x128x16_F32F16F16_SS
//
// The opcode of wgmma does not say where A is: from does, [SharedMemory] or [Registers]; it is ignored for the others.
// Operands in shared memory are taken as K-major, because the instruction's other operands decide the major.
//
// It returns [cute.CodeName] for any other opcode, and [cute.CodeType] for a shape, types or modifiers that the
// instruction does not have (PTX ISA 9.0, 9.7.14.5.14, 9.7.14.6.3, 9.7.15.5.2 and 9.7.15.6.3). C and D must have the
// same type, though mma.m8n8k4 may read C in f16 and write D in f32.
func FindPTX(opcode string, from Space) (MMA, error) {
	p, ok := splitPTX(opcode)
	if !ok {
		return MMA{}, fail(cute.CodeName, opAtom, "expected an opcode of mma or wgmma.mma_async, found %.100q", opcode)
	}
	m := p.warpgroup(from)
	if !p.wgmma {
		m = p.warp()
	}
	if m == nil {
		return MMA{}, fail(cute.CodeType, opAtom, "sm70 to sm90 have no instruction %.100s", opcode)
	}
	return *m, nil
}

// BareMMAs returns the operations of sm70 to sm90 without a struct in CuTe, which [MMAs] therefore does not list:
// m16n8k16 on types of 8 bits, mma.sp, and wgmma on single bits, with A in shared memory first. The order is fixed.
// [FindPTX] finds them.
func BareMMAs() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		for _, p := range barePTXNames() {
			if m := p.warp(); m != nil && !yield(*m) {
				return
			}
		}
		bits := ptxName{wgmma: true, types: []dtype.Type{dtype.S32, dtype.B1, dtype.B1}, variant: "and.popc"}
		for _, from := range []Space{SharedMemory, Registers} {
			for n := int64(8); n <= 256; n += 8 {
				bits.shape = [3]int64{64, n, 256}
				if m := bits.warpgroup(from); m != nil && !yield(*m) {
					return
				}
			}
		}
	}
}

// barePTXNames are the opcodes of barePTX and sparsePTX.
func barePTXNames() []ptxName {
	var all []ptxName
	for i, rows := range [2][]warpRow{barePTX(), sparsePTX()} {
		for _, r := range rows {
			for _, s := range r.shapes {
				for _, t := range r.types {
					for _, v := range r.variants {
						all = append(all, ptxName{
							sparse: i == 1, shape: s, layouts: "row.col", types: []dtype.Type{t.acc, t.a, t.b, t.acc},
							variant: strings.TrimPrefix(v.ptx, "."),
						})
					}
				}
			}
		}
	}
	return all
}

// A ptxName is an opcode, taken apart.
type ptxName struct {
	wgmma, sparse bool
	ordered       bool // metadata
	shape         [3]int64
	layouts       string // the orders of A and B: "row.col"
	types         []dtype.Type
	variant       string // "", "satfinite", "xor.popc" or "and.popc"
}

// splitPTX takes an opcode apart.
func splitPTX(opcode string) (p ptxName, ok bool) {
	parts := strings.Split(opcode, ".")
	switch name := parts[0]; {
	case name == "mma":
		parts = parts[1:]
	case name == "wgmma" && len(parts) > 1 && parts[1] == "mma_async":
		p.wgmma, parts = true, parts[2:]
	default:
		return p, false
	}
	if len(parts) > 0 && (parts[0] == "sp" || parts[0] == "sp::ordered_metadata" && !p.wgmma) {
		p.sparse, p.ordered, parts = true, parts[0] != "sp", parts[1:]
	}
	if len(parts) < 3 || parts[0] != "sync" || parts[1] != "aligned" {
		return p, false
	}
	if p.shape, ok = readShape(parts[2]); !ok {
		return p, false
	}
	ok = p.readModifiers(parts[3:])
	return p, ok
}

// readModifiers reads what follows the shape: the layouts of A and B, types and variants.
func (p *ptxName) readModifiers(parts []string) bool {
	var layouts, variants []string
	for _, s := range parts {
		switch s {
		case "row", "col":
			layouts = append(layouts, s)
		case "satfinite", "xor", "and", "popc":
			variants = append(variants, s)
		default:
			t, err := dtype.Parse(s)
			if err != nil || t.PTX() != "."+s {
				return false
			}
			p.types = append(p.types, t)
		}
	}
	p.layouts, p.variant = strings.Join(layouts, "."), strings.Join(variants, ".")
	return true
}

// readShape reads "m16n8k16".
func readShape(text string) (s [3]int64, ok bool) {
	for i, letter := range []string{"m", "n", "k"} {
		text, ok = strings.CutPrefix(text, letter)
		end := strings.IndexFunc(text, func(c rune) bool { return c < '0' || c > '9' })
		if end < 0 {
			end = len(text)
		}
		n, err := strconv.ParseInt(text[:end], 10, 16)
		if !ok || err != nil || text[0] == '0' {
			return s, false
		}
		s[i], text = n, text[end:]
	}
	return s, text == ""
}

// barePTX are the dense operations of a warp without a struct in CuTe.
func barePTX() []warpRow {
	small := slices.Concat(pairs(dtype.F32, dtype.E4M3, dtype.E5M2), pairs(dtype.F16, dtype.E4M3, dtype.E5M2))
	return []warpRow{{"SM89", [][3]int64{{16, 8, 16}}, small, plain}}
}

// sparsePTX are the sparse operations, which CuTe does not have.
func sparsePTX() []warpRow {
	f16, bf16, tf32, f32, s32 := dtype.F16, dtype.BF16, dtype.TF32, dtype.F32, dtype.S32
	halves := []warpTypes{{f16, f16, f16}, {f32, f16, f16}, {f32, bf16, bf16}}
	return []warpRow{
		{"SM80", [][3]int64{{16, 8, 16}, {16, 8, 32}}, halves, plain},
		{"SM80", [][3]int64{{16, 8, 8}, {16, 8, 16}}, []warpTypes{{f32, tf32, tf32}}, plain},
		{"SM80", [][3]int64{{16, 8, 32}, {16, 8, 64}}, pairs(s32, dtype.S8, dtype.U8), saturated},
		{"SM80", [][3]int64{{16, 8, 64}, {16, 8, 128}}, pairs(s32, dtype.S4, dtype.U4), saturated},
		{"SM89", [][3]int64{{16, 8, 64}}, pairs(f32, dtype.E4M3, dtype.E5M2), plain},
	}
}

// warp returns the operation of a warp or a quad-pair, or nil.
func (p ptxName) warp() *MMA {
	if len(p.types) != 4 || p.types[0] != p.types[3] {
		return nil
	}
	t := warpTypes{p.types[0], p.types[1], p.types[2]}
	if p.shape == [3]int64{8, 8, 4} && t.a == dtype.F16 && t.b == dtype.F16 && !p.sparse && p.variant == "" {
		return p.quadPair(t.acc)
	}
	if p.layouts != "row.col" {
		return nil
	}
	for _, r := range p.rows() {
		if !slices.Contains(r.shapes, p.shape) || !slices.Contains(r.types, t) {
			continue
		}
		for _, v := range r.variants {
			if strings.TrimPrefix(v.ptx, ".") != p.variant {
				continue
			}
			m := makeWarp(r.arch, p.shape, t, v)
			if p.sparse {
				m = p.sparseWarp(m, r.arch, v)
			}
			return &m
		}
	}
	return nil
}

// rows returns the operations of a warp, dense or sparse.
func (p ptxName) rows() []warpRow {
	if p.sparse {
		return sparsePTX()
	}
	return slices.Concat(warpRows(), barePTX())
}

// quadPair returns the operation of a quad-pair with an accumulator of type acc, or nil.
func (p ptxName) quadPair(acc dtype.Type) *MMA {
	ab := map[string]string{"row.col": "TN", "col.row": "NT", "col.col": "NN", "row.row": "TT"}[p.layouts]
	if ab == "" || acc != dtype.F16 && acc != dtype.F32 {
		return nil
	}
	m := makeQuadPair(acc, ab)
	return &m
}

// sparseWarp makes the sparse operation of the dense one.
func (p ptxName) sparseWarp(m MMA, arch string, v variant) MMA {
	rows, k := m.Shape[0], m.Shape[2]
	m.Name = strings.Replace(m.Name, "_", "_SPARSE_", 1)
	m.Source = "PTX ISA, Multiply-and-Accumulate Instruction: mma.sp, Matrix fragments with sparse matrix A"
	m.Arch = strings.ToLower(arch)
	w := perRegister(m.Types.A.Type.Bits())
	m.Types.A.Sparsity = 2
	m.A, m.B = operandFragment(rows, k, 2*w), operandFragment(m.Shape[1], k, w)
	m.Sparse = &Sparse{Kept: 2, Of: 4, From: Registers}
	switch m.Types.A.Type.Bits() {
	case 32:
		m.Sparse.Kept, m.Sparse.Of = 1, 2
	case 4:
		m.Sparse.Kept, m.Sparse.Of = 4, 8
	}
	m.Sparse.E = m.warpMetadata()
	m.Registers, m.spelledA = registersFor(m), ""
	opcode := "mma.sp"
	if p.ordered {
		opcode += "::ordered_metadata"
	}
	t, r := m.Types, m.Registers
	opcode += ".sync.aligned" + instructionShape(m.Shape) + ".row.col" + t.D.Type.PTX() + t.A.Type.PTX() + t.B.Type.PTX() +
		t.C.Type.PTX() + v.ptx
	m.Text = newInstruction(opcode).vector(r.D.Count).vector(r.A.Count).vector(r.B.Count).vector(r.C.Count).
		scalar().words("sp-sel").String()
	return m
}

// warpMetadata returns the layout of the metadata of mma.sp, 16, 32 or 64 bits for each row of A. The selector says
// which of the threads with the same row pass it. For 16 bits one thread of four passes two rows. For 32 bits a pair of
// threads passes two rows: half of each row from each thread, or one row each if the elements have 8 bits or less. For
// 64 bits all four threads pass some (PTX ISA, Sparse matrix storage; the figures of the pairs differ by type, and a
// card agrees).
func (m *MMA) warpMetadata() cute.Layout {
	rows, k := m.Shape[0], m.Shape[2]
	half := mode{2, rows * k / 2} // half of a row
	var ts, td cute.Tuple
	vs, vd := cute.Ints(k/2, 2), cute.Ints(rows, 8)
	switch bits := 4 * k / m.Sparse.Of; {
	case bits == 16:
		ts, td = tuple(mode{4, 0}, mode{8, 1})
		vs, vd = cute.Ints(k, 2), cute.Ints(rows, 8)
	case bits == 32 && m.Types.A.Type.Bits() > 8:
		ts, td = tuple(half, mode{2, 0}, mode{8, 1})
	case bits == 32:
		ts, td = tuple(mode{2, 8}, mode{2, 0}, mode{8, 1})
		vs, vd = cute.Ints(k), cute.Ints(rows)
	default:
		ts, td = tuple(mode{2, 8}, half, mode{8, 1})
		vs, vd = cute.Ints(k/2), cute.Ints(rows)
	}
	return tv(ts, td, vs, vd)
}

// warpgroup returns the operation of a warpgroup, or nil.
func (p ptxName) warpgroup(from Space) *MMA {
	if len(p.types) != 3 || p.layouts != "" || p.shape[0] != 64 {
		return nil
	}
	s := gmmaSpec{
		row: gmmaRow{p.types[0], p.types[1], p.types[2]}, n: p.shape[1], shared: from == SharedMemory,
		saturate: p.variant == "satfinite", sparse: p.sparse,
	}
	bit := gmmaRow{dtype.S32, dtype.B1, dtype.B1}
	switch {
	case s.row == bit && (p.sparse || p.variant != "and.popc"),
		s.row != bit && (!slices.Contains(gmmaRows(), s.row) || p.variant != "" && !s.saturate),
		s.saturate && s.row.acc != dtype.S32, !s.row.takes(s.n), p.shape[2] != s.k():
		return nil
	}
	m := s.make(layoutCache{}, KMajor, KMajor)
	if s.row == bit {
		m.Name += "_ANDPOPC"
		m.Text = strings.Replace(m.Text, ".b1.b1 ", ".b1.b1.and.popc ", 1)
	}
	return &m
}
