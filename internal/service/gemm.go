//go:build !js || kernels

package service

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/machine/gemm"
	plans "girih/kernel/gemm"
)

// gemmOperation is the row of the product of matrices.
func gemmOperation() Operation {
	return Operation{
		Name: "gemm", Doc: "Run a gemm on simulated threads, and show what it moves",
		Words: map[string][]Word{"target": TargetWords()},
		Tool: &ToolDoc{
			Title:   "Run a gemm on simulated threads",
			Brief:   "runs a gemm with a TiledMMA and swizzled shared memory on simulated threads, checks the result, and counts bytes, sectors, conflicts.",
			Smaller: "a smaller problem",
			Doc: "Runs D = A*B + C through a TiledMMA with swizzled shared memory and compares with three loops: whether " +
				"instruction, atom layout, permutation and tile are right together, and the bytes, sectors, wavefronts and " +
				"conflicts. Example: type f16, atoms (2,2,1), m 256, n 128, k 64.",
		},
		Command: &Command{
			Use: "gemm (--atom NAME | --type TYPE | --plan) [-m M] [-n N] [-k K]",
			Flags: append([]Flag{
				{Field: "atom", Usage: "the MMA instruction, by its `NAME`; girih atom lists them"},
				{Field: "type", Usage: "the `TYPE` of A, such as f16; without --atom it chooses a usual instruction"},
				{Field: "atoms", Usage: "the `LAYOUT` of the atoms over M, N and K, such as 2,2,1"},
				{Field: "permutation", Name: "perm", Usage: "PermutationMNK, a `TILE` such as '<32,32,16>'"},
				{Field: "a", Usage: "the `MODE` of A that is contiguous in memory, M or K; as the name of the atom says if missing"},
				{Field: "b", Usage: "the `MODE` of B that is contiguous in memory, N or K; as the name of the atom says if missing"},
				{Field: "tile", Usage: "the extents `M,N,K` of the kernel's tile, multiples of the TiledMMA's; without it about 64, 64 and 64 bytes"},
				{Field: "m", Short: "m", Default: "128", Usage: "the `NUMBER` of rows of A"},
				{Field: "n", Short: "n", Default: "128", Usage: "the `NUMBER` of rows of B"},
				{Field: "k", Short: "k", Default: "64", Usage: "the `NUMBER` of columns of A and B"},
				{Field: "normal", Usage: "numbers of a normal distribution, up to 3"},
				{Field: "seed", Usage: "the `SEED` of the numbers"},
				{Field: "target", Usage: "the `MACHINE` whose shared memory is counted; the atom's if there is a model " +
					"of it, otherwise " + DefaultTarget},
			}, planFlags...),
			Long: gemmHelp,
			Example: `  girih gemm --type f16 -m 256 -n 256 -k 64
  girih gemm --atom SM80_16x8x16_F32F16F16F32_TN --atoms 2,2,1 --perm '<32,32,16>' --tile 128,128,32
  girih gemm --atom SM90_64x128x16_F32F16F16_SS --tile 128,128,64 -m 200 -n 150 -k 100
  girih gemm --plan --type bf16 -m 4096 -n 4096 -k 512 --card h200
  girih gemm --plan --type e4m3 --scale blocks -m 4096 -n 4096 -k 4096 -l 8
  girih gemm --plan --type f16 --type-b u4 --scale groups -m 16 -n 4096 -k 4096
  girih gemm --plan --type bf16 --groups 64 -m 16384 -n 4096 -k 2048
  girih gemm --type s8 --atoms 2,2,1 -m 100 -n 70 -k 90
  girih gemm --atom SM70_8x8x4_F32F16F16F32_NT --atoms 2,2,1 --perm '<(4,4,2):(1,8,4),32,4>'`,
		},
		do: method[GemmRequest, GemmResponse]{
			do: (*Session).Gemm,
			said: func(_ GemmRequest, r GemmResponse, _ Door) Answer {
				a := Answer{Fault: r.Fault, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
				if r.Threads > 0 {
					a.Shown = TextAlone // the text already says that the result is wrong
				}
				return a
			},
		}.caller(),
	}
}

// planFlags are the flags of a plan.
var planFlags = []Flag{
	{Field: "plan", Usage: "plan the fastest kernel on a card, and say why, instead of running one"},
	{Field: "card", Usage: "the `CARD` of the plan, such as h200, a100 or rtx4090; h200 if missing"},
	{Field: "out", Usage: "the `TYPE` of D in a plan, such as f32; f16, bf16, f32 or s32 by the type of A if missing"},
	{Field: "typeb", Name: "type-b", Usage: "the `TYPE` of B in a plan, if it differs: e4m3 and e5m2, s8 and u8, u4 for f16 and bf16"},
	{Field: "l", Short: "l", Usage: "the `NUMBER` of products of a plan, a third mode of all matrices"},
	{Field: "groups", Usage: "the `NUMBER` of groups of rows of A and D in a plan; B has a matrix for each"},
	{Field: "scale", Usage: "`FACTORS` of A and B in a plan: tensors, rows, blocks of 128 columns, or groups of u4"},
	{Field: "fast", Usage: "let tensor cores add all products of 8-bit floats in a plan, with 14 bits"},
	{Field: "c", Usage: "plan alpha·A·B + beta·C, with a C of this `TYPE`"},
	{Field: "as", Usage: "`FORM` of a plan: text, ptx or torch for the kernel; text if missing"},
}

// gemmHelp is the prose of girih gemm --help.
const gemmHelp = `Run D = A*B + C on simulated threads, shared memory and registers: predicated loads
of tiles into swizzled shared memory, ldmatrix where it delivers the fragments, the
MMA instruction on the fragments of every thread, and the store. A is
M by K, B is N by K, C and D are M by N, each row by row, or A and B column by column
with --a M and --b N: then M and N are contiguous in shared memory, too, and fragments
are read by ldmatrix.trans or in vectors, as wide as they are. An instruction whose
name ends in NT, NN or TT has this order by itself: N is M-contiguous for A and
K-contiguous for B, T the other way round. D is compared with three
loops, and the ledger says what was moved: bytes of elements inside the problem,
sectors of 32 bytes of global memory, and the wavefronts of shared memory with and
without conflicts.

The numbers are small integers, whose sums are exact in all types, unless --normal
asks for others; then the result may differ by as much as the rounding of
the accumulator, which is stated. The exit status is 1 if the result is wrong.

With --plan nothing runs: the kernel of a card is planned, with the TMA and wgmma on
Hopper, otherwise with cp.async and mma.sync, and each choice has its reason: the
instruction and the majors in shared memory, the roles of the warpgroups, the tile, the
stages, clusters that share tiles of B, blocks that share K, the order of the tiles, how
D is written, and which operands are copied first because their rows cannot be read, or
because the instruction reads their type only with K contiguous. Types are f16 and
bf16, with a B of u4 and its factors, too, tf32, s8, u8, and e4m3 and e5m2 on Hopper
and sm_89; on Hopper there are groups of rows whose sizes the device knows. The
prediction has the bytes of memory and of the L2, the waves, the time and what bounds
it. --as ptx and --as torch write the kernel; girih-gpu gemm --type runs it.

A million multiplications take some milliseconds. A number of C or D takes 8 bytes,
a number of A or B 16: 8192 by 8192 by 1 takes about 1.1 GB. All elements of a tile,
at least 64 by 64 by 32, are computed, inside the problem or not. The limit is 2^34
multiplications, which take some minutes.`

// A GemmRequest asks for a product of matrices by a kernel on simulated threads.
type GemmRequest struct {
	Atom        string  `json:"atom,omitempty" jsonschema:"the name of the MMA instruction; the usual one of the type if empty" brief:"chosen by type if empty"`
	Type        string  `json:"type,omitempty" jsonschema:"of the elements of A; the type of the atom if empty" brief:"-"`
	Atoms       string  `json:"atoms,omitempty" jsonschema:"AtomLayoutMNK, as (2,2,1); one atom if empty" brief:"-"`
	Permutation string  `json:"permutation,omitempty" jsonschema:"PermutationMNK, as <32,32,16>; none if empty" brief:"-"`
	MajorA      string  `json:"a,omitempty" tool:"-" jsonschema:"the mode of A that is contiguous: M or K; as the name of the instruction says if empty"`
	MajorB      string  `json:"b,omitempty" tool:"-" jsonschema:"the mode of B that is contiguous: N or K; as the name of the instruction says if empty"`
	Tile        []int64 `json:"tile,omitempty" jsonschema:"M, N and K of the tile of the kernel; if empty the multiple of the TiledMMA's tile nearest to 64 by 64 elements and 64 bytes" brief:"M, N, K of the kernel's tile"`
	M           int64   `json:"m" jsonschema:"rows of A and C" brief:"-"`
	N           int64   `json:"n" jsonschema:"rows of B, columns of C" brief:"-"`
	K           int64   `json:"k" jsonschema:"columns of A and B" brief:"-"`
	Normal      bool    `json:"normal,omitempty" jsonschema:"numbers of a normal distribution, not small integers" brief:"random reals, not small integers"`
	Seed        uint64  `json:"seed,omitempty" jsonschema:"of the numbers" brief:"-"`
	Target      string  `json:"target,omitempty" jsonschema:"the machine whose shared memory is counted; the machine of the atom if empty" brief:"-"`
	Plan        bool    `json:"plan,omitempty" tool:"-" jsonschema:"plan the fastest kernel of a card instead of running one"`
	Card        string  `json:"card,omitempty" tool:"-" jsonschema:"the card of the plan, such as h200, a100 or rtx4090; h200 if empty"`
	Out         string  `json:"out,omitempty" tool:"-" jsonschema:"the type of D in a plan; the type of A if empty"`
	TypeB       string  `json:"typeb,omitempty" tool:"-" jsonschema:"the type of B in a plan; the type of A if empty"`
	L           int64   `json:"l,omitempty" tool:"-" jsonschema:"the number of products of a plan, a third mode of all matrices; 0 for one without it"`
	Groups      int64   `json:"groups,omitempty" tool:"-" jsonschema:"the groups that the rows of A and D of a plan have, with a matrix B for each; 0 for none"`
	Scale       string  `json:"scale,omitempty" tool:"-" jsonschema:"factors of A and B in a plan: tensors, rows, blocks, or groups of u4; none if empty"`
	Fast        bool    `json:"fast,omitempty" tool:"-" jsonschema:"let tensor cores add all products of 8-bit floats in a plan"`
	C           string  `json:"c,omitempty" tool:"-" jsonschema:"the type of C in a plan of alpha·A·B + beta·C; no C if empty"`
	As          string  `json:"as,omitempty" tool:"-" jsonschema:"of a plan: text, or ptx or torch for the kernel"`
}

// A GemmResponse says how the result compares with three loops, and what the kernel moved.
type GemmResponse struct {
	OK        bool          `json:"ok"`                     // the kernel ran, and the result is right
	MMA       string        `json:"mma,omitempty"`          // the TiledMMA as an expression
	Threads   int64         `json:"threads,omitempty"`      // the number of threads of the kernel
	Tile      [3]int64      `json:"tile,omitzero"`          // M, N and K of the tile, in elements
	Tiles     [3]int64      `json:"tiles,omitzero"`         // how many tiles there are along M, N and K
	Machine   string        `json:"machine,omitempty"`      // the machine whose shared memory is counted
	SharedA   string        `json:"shared_a,omitempty"`     // the layout in shared memory, offsets in elements
	SharedB   string        `json:"shared_b,omitempty"`     // the layout of B in shared memory, offsets in elements
	Numbers   string        `json:"numbers,omitempty"`      // what A, B and C were filled with
	Elements  int64         `json:"elements,omitempty"`     // the number of elements of D
	Worst     float64       `json:"worst"`                  // the largest difference from the reference
	Bound     float64       `json:"bound"`                  // the largest possible rounding error; 0 if sums are exact
	Fails     int64         `json:"fails,omitempty"`        // the number of elements whose error exceeds their bound
	Row       int64         `json:"row"`                    // the row of the worst element
	Column    int64         `json:"column"`                 // the column of the worst element
	Executed  int64         `json:"instructions,omitempty"` // how many MMA instructions were executed
	Products  int64         `json:"products,omitempty"`     // how many products of two elements were computed
	Useful    int64         `json:"useful,omitempty"`       // how many of these products belong to the problem
	LeastMost [2]int64      `json:"times,omitzero"`         // how often each product was added: at least, and at most
	Stages    []GemmStage   `json:"stages,omitempty"`       // the movements of data, in their order
	Notes     []string      `json:"notes,omitempty"`        // what a reader of the answer should know
	Error     *report.Error `json:"error,omitempty"`        // why there is no answer

	Plan   *plans.Description `json:"plan,omitempty"`   // if the request asks for a plan; then only these are set
	Launch *KernelLaunch      `json:"launch,omitempty"` // of the planned kernel
	Source string             `json:"source,omitempty"` // of the planned kernel

	text  string
	Fault `json:"-"`
}

// A GemmStage is one kind of movement.
type GemmStage struct {
	Name         string `json:"name"`                   // what moves from where to where
	Operation    string `json:"operation"`              // the instruction
	VectorBits   int    `json:"vector_bits"`            // how many bits a lane moves at once
	Instructions int64  `json:"instructions,omitempty"` // the instructions of all warps
	Bytes        int64  `json:"bytes"`                  // the bytes of elements inside the problem
	Wavefronts   int    `json:"wavefronts,omitempty"`   // the wavefronts of shared memory
	Ideal        int    `json:"ideal,omitempty"`        // the wavefronts without conflicts
	Degree       int    `json:"degree,omitempty"`       // the largest degree of a phase; 1 is conflict-free
	Sectors      int64  `json:"sectors,omitempty"`      // the sectors of 32 bytes of global memory
}

// gemmAtoms are the instructions that multiply elements of a type unless the request names another.
var gemmAtoms = map[dtype.Type]string{
	dtype.F16:  "SM80_16x8x16_F32F16F16F32_TN",
	dtype.BF16: "SM80_16x8x16_F32BF16BF16F32_TN",
	dtype.TF32: "SM80_16x8x8_F32TF32TF32F32_TN",
	dtype.F64:  "SM80_8x8x4_F64F64F64F64_TN",
	dtype.F32:  "UniversalFMA<float,float,float>",
	dtype.S8:   "SM80_16x8x32_S32S8S8S32_TN",
	dtype.U8:   "SM80_16x8x32_S32U8U8S32_TN",
	dtype.S4:   "SM80_16x8x64_S32S4S4S32_TN",
	dtype.U4:   "SM80_16x8x64_S32U4U4S32_TN",
	dtype.E4M3: "SM89_16x8x32_F32E4M3E4M3F32_TN",
	dtype.E5M2: "SM89_16x8x32_F32E5M2E5M2F32_TN",
}

// Gemm runs a kernel and compares its result with three loops, or plans a kernel.
func (s *Session) Gemm(req GemmRequest) GemmResponse {
	switch {
	case req.Plan:
		return planGemm(req)
	case req.Card+req.Out+req.As+req.TypeB+req.Scale+req.C != "" || req.L != 0 || req.Fast:
		info := usage("card, out, as, typeb, l, scale, fast and c are of a plan: say plan")
		return GemmResponse{Error: info, Fault: Fault{Usage: true}}
	}
	return s.runGemm(req)
}

// runGemm runs a kernel on simulated threads.
func (s *Session) runGemm(req GemmRequest) GemmResponse {
	mma, fault, info := s.gemmMMA(req)
	if info != nil {
		return GemmResponse{Error: info, Fault: fault}
	}
	target, err := gemmTarget(req.Target, mma.Atom().Arch)
	if err != nil {
		return GemmResponse{Error: report.Of(err), Fault: Fault{Usage: true}}
	}
	tile, info := gemmTile(req.Tile, mma)
	if info != nil {
		return GemmResponse{Error: info, Fault: Fault{Usage: true}}
	}
	majorA, info := majorOf("A", "M", cmp.Or(req.MajorA, ownMajor("M", mma.Atom().AMajor)))
	majorB, infoB := majorOf("B", "N", cmp.Or(req.MajorB, ownMajor("N", mma.Atom().BMajor)))
	if info = cmp.Or(info, infoB); info != nil {
		return GemmResponse{Error: info, Fault: Fault{Usage: true}}
	}
	k, err := gemm.NewKernelOf(mma, tile, majorA, majorB)
	if err != nil {
		return GemmResponse{Error: report.Of(err)}
	}
	if info := s.gemmWork(req); info != nil {
		return GemmResponse{Error: info, Fault: Fault{Usage: true}}
	}
	p, numbers, info := gemmProblem(req, mma.Atom())
	if info != nil {
		return GemmResponse{Error: info, Fault: Fault{Usage: true}}
	}
	r, err := k.Run(p, target)
	if err != nil {
		return GemmResponse{Error: report.Of(err)}
	}
	check, err := k.Check(p, r.D)
	if err != nil {
		return GemmResponse{Error: report.Of(err)}
	}
	resp := GemmResponse{
		OK: check.Fails == 0, MMA: eval.TiledMMA{TiledMMA: mma}.String(), Threads: k.Threads(), Tile: tile,
		Tiles:   r.Ledger.Tiles,
		Machine: target.Title(), SharedA: k.SharedA.String(), SharedB: k.SharedB.String(), Numbers: numbers,
		Elements: p.M * p.N, Worst: check.Worst, Bound: check.Bound, Fails: check.Fails, Row: check.Row, Column: check.Column,
		Executed: r.Ledger.Instructions, Products: r.Ledger.Products, Useful: r.Ledger.Useful, LeastMost: r.Ledger.Times,
	}
	for _, stage := range r.Ledger.Stages {
		resp.Stages = append(resp.Stages, GemmStage{
			Name: stage.Name, Operation: stage.Operation, VectorBits: stage.VectorBits, Instructions: stage.Instructions,
			Bytes:      stage.Bytes,
			Wavefronts: stage.Shared.Wavefronts, Ideal: stage.Shared.Ideal, Degree: stage.Shared.Degree, Sectors: stage.Sectors,
		})
	}
	if !resp.OK {
		resp.Error = &report.Error{Code: "wrong", Message: fmt.Sprintf("%d of %d elements differ from the reference by "+
			"more than rounding can, D(%d,%d) by %v", check.Fails, resp.Elements, check.Row, check.Column, check.Worst)}
	}
	return resp
}

// ownMajor returns the mode that is contiguous in the operand of an instruction by its name: NT of
// SM70_8x8x4_F32F16F16F32_NT is M for A and N for B.
func ownMajor(other string, m atom.Major) string {
	if m == atom.MNMajor {
		return other
	}
	return "K"
}

// majorOf returns which mode of an operand is contiguous: K, or the other mode.
func majorOf(operand, other, text string) (atom.Major, *report.Error) {
	switch strings.ToUpper(text) {
	case "", "K":
		return atom.KMajor, nil
	case other:
		return atom.MNMajor, nil
	}
	return atom.KMajor, usage("expected the mode of %s that is contiguous, %s or K, found %.40q", operand, other, text)
}

// maxGemm is the most products that are simulated if the session has a time limit: about a second's worth. The
// limit without one is maxGemmAlone, some minutes' worth.
const (
	maxGemm      = 1 << 26
	maxGemmAlone = 1 << 34
)

// gemmWork refuses problems that would exceed the session's time, and requests memory for the others.
func (s *Session) gemmWork(req GemmRequest) *report.Error {
	if req.M < 1 || req.N < 1 || req.K < 1 || max(req.M, req.N, req.K) > maxGemmExtent {
		return nil // gemmProblem reports the error
	}
	most := int64(maxGemmAlone)
	if s.room.Bytes > 0 {
		most = maxGemm
	}
	work := max(req.M, 64) // elements of a tile outside the problem are moved, too
	for _, x := range []int64{max(req.N, 64), max(req.K, 32)} {
		if work > most/x {
			return report.Of(&cute.Error{
				Code: cute.CodeLimit, Op: "gemm", Msg: fmt.Sprintf("expected at most %d products, found %d by %d by %d", most,
					req.M, req.N, req.K),
				Hint: "a few tiles are simulated like many",
			})
		}
		work *= x
	}
	return s.hold(int(16*(req.M+req.N)*req.K + 24*req.M*req.N)) // A and B twice, C, D and the reference of D
}

// gemmMMA builds the TiledMMA of a request.
func (s *Session) gemmMMA(req GemmRequest) (atom.TiledMMA, Fault, *report.Error) {
	name := req.Atom
	if req.Type != "" {
		t, info := elementType(req.Type)
		if info != nil {
			return atom.TiledMMA{}, Fault{Usage: true}, info
		}
		if name == "" {
			if name = gemmAtoms[t]; name == "" {
				return atom.TiledMMA{}, Fault{Usage: true}, usage("there is no usual instruction for %v: name one of the list "+
					"of instructions", t)
			}
		} else if m, err := atom.FindMMA(name); err == nil && m.Types.A.Type != t {
			return atom.TiledMMA{}, Fault{Usage: true}, usage("%s multiplies elements of %v, not of %v", m.Name,
				m.Types.A.Type, t)
		}
	}
	if name == "" {
		return atom.TiledMMA{}, Fault{Usage: true}, usage("expected an instruction or a type, found neither")
	}
	m, _, fault, info := s.tiledMMA(MMARequest{Atom: name, Atoms: req.Atoms, Permutation: req.Permutation})
	return m, fault, info
}

// gemmTarget returns the machine whose shared memory is counted: the instruction's own, or the measured one.
func gemmTarget(name, arch string) (banks.Target, error) {
	if name != "" {
		return banks.ParseTarget(name)
	}
	if t, err := banks.ParseTarget(strings.ToLower(arch)); err == nil {
		return t, nil
	}
	return banks.ParseTarget(DefaultTarget)
}

// gemmTile returns the tile of a kernel.
func gemmTile(tile []int64, mma atom.TiledMMA) ([3]int64, *report.Error) {
	switch len(tile) {
	case 3:
		return [3]int64(tile), nil
	case 0:
	default:
		return [3]int64{}, usage("expected a tile of M, N and K, found %d numbers", len(tile))
	}
	shape := mma.TileShape()
	wish := [3]int64{64, 64, max(1, 64*8/int64(mma.Atom().Types.A.Type.Bits()))}
	for i := range shape {
		shape[i] *= max(1, wish[i]/shape[i])
	}
	return shape, nil
}

// maxGemmExtent is the largest M, N and K.
const maxGemmExtent = 1 << 13

// gemmProblem fills the matrices.
func gemmProblem(req GemmRequest, m atom.MMA) (gemm.Problem, string, *report.Error) {
	const most = maxGemmExtent
	for _, x := range []int64{req.M, req.N, req.K} {
		if x < 1 || x > most {
			return gemm.Problem{}, "", usage("expected M, N and K from 1 to %d, found %d, %d and %d", most, req.M, req.N, req.K)
		}
	}
	random := rand.New(rand.NewPCG(req.Seed, 0))
	fill := func(size int64, draw func() float64) []float64 {
		xs := make([]float64, size)
		for i := range xs {
			xs[i] = draw()
		}
		return xs
	}
	p := gemm.Problem{M: req.M, N: req.N, K: req.K}
	if req.Normal {
		for _, t := range []dtype.Type{m.Types.A.Type, m.Types.B.Type} {
			if t.Kind() != dtype.Float {
				return gemm.Problem{}, "", usage("expected a floating-point type for numbers of a normal distribution, found %v", t)
			}
		}
		// Above three the smallest types have no number.
		draw := func() float64 { return min(3, max(-3, random.NormFloat64())) }
		p.A, p.B, p.C = fill(p.M*p.K, draw), fill(p.N*p.K, draw), fill(p.M*p.N, draw)
		gemm.Prune(m, p.A, p.K, random.Perm)
		return p, "numbers of a normal distribution", nil
	}
	least, greatest := integersOf(m, req.K)
	draw := func() float64 { return float64(least + random.Int64N(greatest-least+1)) }
	p.A, p.B, p.C = fill(p.M*p.K, draw), fill(p.N*p.K, draw), fill(p.M*p.N, draw)
	gemm.Prune(m, p.A, p.K, random.Perm)
	return p, fmt.Sprintf("integers from %d to %d", least, greatest), nil
}

// integersOf returns a range of integers, if there is one, that the instruction's types can hold and whose sums
// of k products its accumulator holds exactly.
func integersOf(m atom.MMA, k int64) (least, greatest int64) {
	holds := func(t dtype.Type, x int64) bool {
		if t.Kind() == dtype.Float {
			code, err := t.Encode(float64(x))
			if err != nil {
				return false
			}
			y, err := t.Decode(code)
			return err == nil && y == float64(x)
		}
		_, err := t.EncodeInt(x)
		return err == nil
	}
	all := func(x int64) bool {
		return holds(m.Types.A.Type, x) && holds(m.Types.B.Type, x) && holds(m.Types.C.Type, x)
	}
	greatest = 1
	for greatest < 8 && all(greatest+1) && holds(m.Types.C.Type, (greatest+1)*(greatest+1)*(k+1)-1) {
		greatest++
	}
	if all(-greatest) {
		least = -greatest
	}
	return least, greatest
}
