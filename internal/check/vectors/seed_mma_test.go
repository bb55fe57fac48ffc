package vectors

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"girih/internal/why/judge"
)

// An mmaAtom is what the statements say about one MMA instruction. The layouts map (thread, value) to the column-major
// index in (M,K), (N,K) and (M,N). Source: CUTLASS 4.7, include/cute/atom/mma_traits_sm70.hpp, _sm75, _sm80,
// _sm90_gmma.
type mmaAtom struct {
	name    string
	thrID   string
	m, n, k int
	a, b, c string
	bits    int // per element of A, B and C
}

var (
	sm70TN = mmaAtom{"SM70_8x8x4_F16F16F16F16_TN", quadPair, 8, 8, 4, "(8,4):(1,8)", "(8,4):(1,8)", "(8,8):(1,8)", 16}
	sm70NT = mmaAtom{
		"SM70_8x8x4_F32F16F16F32_NT", quadPair, 8, 8, 4, "((4,2),4):((8,4),1)", "((4,2),4):((8,4),1)",
		"((2,2,2),(2,2,2)):((1,16,4),(8,2,32))", 16,
	}
	sm75 = mmaAtom{
		"SM75_16x8x8_F32F16F16F32_TN", "32:1", 16, 8, 8, "((4,8),(2,2)):((32,1),(16,8))",
		"((4,8),2):((16,1),8)", "((4,8),(2,2)):((32,1),(16,8))", 16,
	}
	sm80 = mmaAtom{
		"SM80_16x8x16_F16F16F16F16_TN", "32:1", 16, 8, 16, "((4,8),(2,2,2)):((32,1),(16,8,128))",
		"((4,8),(2,2)):((16,1),(8,64))", "((4,8),(2,2)):((32,1),(16,8))", 16,
	}
	sm90SS = mmaAtom{
		"SM90_64x128x16_F16F16F16_SS", "128:1", 64, 128, 16, "(128,(64,16)):(0,(1,64))",
		"(128,(128,16)):(0,(1,128))", "((4,8,4),(2,2,16)):((128,1,16),(64,8,512))", 16,
	}
)

const (
	quadPair    = "(4,2):(1,16)"
	sm90A       = "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))" // A in registers
	permutation = "(4,4,2):(1,8,4)"
)

// seedMMA holds the statements of a learning log on MMA instructions and TiledMMA.
var seedMMA = []fact{
	{18, 0, all(is("((3,4):(1,3))(1,0) - ((3,4):(1,3))(0,0)", "1"), is("((3,4):(1,3))(0,1) - ((3,4):(1,3))(0,0)", "3"))},
	{26, 0, all(
		is("size(((2,2),(2,4)):((1,4),(2,8)))", "32"), is("product_each(((2,2),(2,4)))", "(4,8)"),
		is("is_bijective(((2,2),(2,4)):((1,4),(2,8)))", "true"),
		is("(((2,2),(2,4)):((1,4),(2,8)))((1,0),0)", "1"), is("(((2,2),(2,4)):((1,4),(2,8)))((0,1),0)", "4"),
		is("(((2,2),(2,4)):((1,4),(2,8)))(0,(1,0))", "2"), is("(((2,2),(2,4)):((1,4),(2,8)))(0,(0,1))", "8"))},
	{35, 0, colexIndex},
	{41, 0, all(is("size(((2,3),3))", "18"), is("rank(((2,3),3))", "2"), is("size<1>(((2,3),3))", "3"), is("get<0>(((2,3),3))", "(2,3)"))},
	{46, 0, literalsAreDynamic},
	{54, 0, blockIsInner},
	{57, 0, stated("((2,2):(1,5))(1,1)")},
	{57, 1, all(is("(4,4):(4,1) o (2,2):(1,5)", "(2,2):(4,5)"), is("((4,4):(4,1) o (2,2):(1,5))(1,1)", "9"), is("((2,2):(4,5))(1,1)", "9"))},
	{61, 0, stated("idx2crd(6, (4,4))")},
	{62, 0, stated("((4,4):(4,1))(2,1)")},
	{64, 0, all(undoneBy("(4,4):(4,1)"), undoneBy("(2,3):(3,1)"), undoneBy("((2,2),4):((1,8),2)"))},
	{72, 0, all(inRegisters(sm70TN), inRegisters(sm70NT), inRegisters(sm75), inRegisters(sm80))},
	{73, 0, hopperOperands},
	{96, 0, operationName},
	{97, 0, registersPerThread},
	{114, 0, ptxInstruction},
	{135, 0, all(is("size("+sm70TN.thrID+")", "8"), is("size("+sm80.thrID+")", "32"), is("size("+sm90SS.thrID+")", "128"))},
	{147, 0, all(traitsAre(sm70NT), inRegisters(sm70NT))},
	{172, 0, hasTable(quadPair)},
	{176, 0, func(c *checker) {
		c.is("image("+quadPair+")", "{0,1,2,3,16,17,18,19}")
		c.not("image("+quadPair+")", "{1,2,3,16,17,18,19}")
	}},
	{191, 0, threadJumps},
	{195, 0, all(is("idx2crd(8, (8,8))", "(0,1)"), is("idx2crd(2, (8,8))", "(2,0)"), is("idx2crd(32, (8,8))", "(0,4)"), is("stride<1>("+sm70NT.c+")", "(8,2,32)"))},
	{198, 0, all(stated(sm70NT.c), bijection(sm70NT.c, 64), is("("+sm70NT.c+")((0,1,0),(0,0,0))", "16"))},
	{205, 0, all(stated(sm70TN.c), bijection(sm70TN.c, 64))},
	{214, 0, stepsOfTN},
	{216, 0, all(stated(sm70TN.b), bijection(sm70TN.b, 32))},
	{220, 0, all(stated(sm70TN.a), bijection(sm70TN.a, 32))},
	{228, 0, stated("(" + quadPair + ")(4)")},
	{230, 0, all(is("("+sm70NT.a+")(1,0)", "8"), is("idx2crd(8, (8,4))", "(0,1)"))},
	{231, 0, stepsOfNT},
	{234, 0, all(stated(sm70NT.a), bijection(sm70NT.a, 32))},
	{242, 0, tileShapes},
	{249, 0, all(is("("+sm90SS.c+")(1,0)", "128"), is("2*64", "128"))},
	{250, 0, is("("+sm90SS.c+")(0,1)", "64")},
	{254, 0, func(c *checker) {
		for t := range 8 {
			c.is(fmt.Sprintf("(%s)(%d,0)", sm90SS.c, 4*t), fmt.Sprint(t))
		}
	}},
	{257, 0, is("("+sm90SS.c+")(0,2)", "8")},
	{260, 0, is("("+sm90SS.c+")(32,0)", "16")},
	{262, 0, all(
		is("equivalent("+"((4,8,4),(2,2)):((128,1,16),(64,8)), ((4,8,4),(2,2,1)):((128,1,16),(64,8,512)))", "true"),
		bijection("((4,8,4),(2,2)):((128,1,16),(64,8))", 512), bijection("((4,8,4),(2,2,1)):((128,1,16),(64,8,512))", 512))},
	{264, 0, widthsOfWGMMA},
	{265, 0, all(is("size<0>("+sm90SS.c+")", "128"), is("size<1>("+sm90SS.c+")", "64"), is("size("+sm90SS.c+")", "8192"))},
	{266, 0, all(stated(sm90SS.c), bijection(sm90SS.c, 8192))},
	{268, 0, all(is("32*8*2", "512"), is("size(((4,8,4),(2,2)):((128,1,16),(64,8)))", "512"), is("64*8", "512"), is("("+sm90SS.c+")(0,4)", "512"))},
	{269, 0, all(is("128/8", "16"), is("get<1,2>("+sm90SS.c+")", "16:512"))},
	{274, 0, registerOrSharedA},
	{276, 0, all(is("make_layout(128:0, (128,16):(1,128))", sm90SS.b), is("size<1>("+sm90SS.b+")", "2048"), is("image("+sm90SS.b+") == image(2048:1)", "true"))},
	{288, 0, all(is("size("+experiment1.vmnk()+")", "8"), is("size("+experiment2.vmnk()+")", "32"))},
	{298, 0, experimentIsOneAtom},
	{310, 0, leadersOfGroups},
	{318, 0, fourCopies},
	{322, 0, ownsA(experiment3, 0, 0)},
	{323, 0, ownsA(experiment3, 0, 1)},
	{324, 0, ownsA(experiment3, 0, 2)},
	{325, 0, ownsA(experiment3, 0, 3)},
	{326, 0, ownsA(experiment3, 0, 4)},
	{327, 0, ownsA(experiment3, 0, 5)},
	{328, 0, ownsA(experiment3, 0, 6)},
	{329, 0, ownsA(experiment3, 0, 7)},
	{331, 0, bijection(permutation, 32)},
	{340, 0, func(c *checker) {
		c.is(experiment3.coordA(0, 3), "(3,0)")
		c.not(experiment3.coordA(0, 3), "(0,0)")
		c.is(experiment3.coordA(16, 0), "(4,0)")
		c.is(experiment3.coordA(0, 4), "(16,0)")
	}},
	{342, 0, ownsA(experiment4, 16, 0)},
	{343, 0, func(c *checker) {
		for v := range 8 {
			c.is(experiment4.coordA(0, v), fmt.Sprintf("(%d,0)", v))
		}
	}},
}

// These are the experiments with the quad-pair instruction: one atom, and 2 x 2 atoms in n-major order on larger and
// permuted tiles.
var (
	experiment1 = tiledMMA{sm70NT, "(1,1,1):(0,0,0)", [3]string{"8", "8", "4"}}
	experiment2 = tiledMMA{sm70NT, "(2,2,1):(2,1,0)", [3]string{"16", "16", "4"}}
	experiment3 = tiledMMA{sm70NT, "(2,2,1):(2,1,0)", [3]string{"32", "32", "4"}}
	experiment4 = tiledMMA{sm70NT, "(2,2,1):(2,1,0)", [3]string{permutation, "32", "4"}}
)

// A tiledMMA is an atom, a layout of atoms and the tile of each mode.
// The formulas are from include/cute/atom/mma_atom.hpp, class TiledMMA, written in girih's language.
type tiledMMA struct {
	atom  mmaAtom
	atoms string
	tile  [3]string
}

// vmnk returns the layout from (V,M,N,K) to threads.
func (t tiledMMA) vmnk() string {
	return ask("tiled_product(" + t.atom.thrID + ", " + t.atoms + ")").text()
}

// atomsAlong returns the number of atoms along mode i of (M,N,K).
func (t tiledMMA) atomsAlong(i int) string {
	return ask(fmt.Sprintf("size<%d>(%s)", i+1, t.vmnk())).text()
}

// fragments returns the layout ((ThrV,(ThrX,ThrY)),(FrgV,(RestX,RestY))) of a tensor whose modes are x and y of
// (M,N,K).
func (t tiledMMA) fragments(tensor, tv string, x, y int) string {
	size := [3]int{t.atom.m, t.atom.n, t.atom.k}
	e := fmt.Sprintf("logical_divide(%s, <%s,%s>)", tensor, t.tile[x], t.tile[y])
	e = fmt.Sprintf("zipped_divide(%s, <%d:1,%d:1>)", e, size[x], size[y])
	e = fmt.Sprintf("composition(%s, <%s,_>)", e, tv)
	tiler := fmt.Sprintf("<_,<%s:1,%s:1>>", t.atomsAlong(x), t.atomsAlong(y))
	// CuTe's zipped_divide treats (ThrV,FrgV), which is under _, as a tile and its rest.
	return fmt.Sprintf("tile_unzip(logical_divide(%s, %s), %[2]s)", e, tiler)
}

// threads returns the layout from the thread index to the logical thread.
func (t tiledMMA) threads() string {
	v := t.vmnk()
	return fmt.Sprintf("(size(%[1]s),1):(1,0) o right_inverse(make_layout(%[1]s, complement(%[1]s)))", v)
}

func (t tiledMMA) sizeOf(i int) string { return ask("size(" + t.tile[i] + ")").text() }

// layoutC returns the layout from (thread, value) to the index in the tile of C.
func (t tiledMMA) layoutC() string {
	e := t.fragments("("+t.sizeOf(0)+","+t.sizeOf(1)+")", t.atom.c, 0, 1)
	return ask("composition(" + e + ", <" + ask(t.threads()).text() + ",_>)").text()
}

// layoutA returns the layout from (thread, value) to the index in the tile of A.
func (t tiledMMA) layoutA() string {
	e := t.fragments("("+t.sizeOf(0)+","+t.sizeOf(2)+")", t.atom.a, 0, 2)
	e = fmt.Sprintf("composition(%s, <<_,<(%s,%s):(1,0),_>>,_>)", e, t.atomsAlong(0), t.atomsAlong(1))
	return ask("composition(" + e + ", <" + ask(t.threads()).text() + ",_>)").text()
}

// coordA returns an expression for the coordinate of value v of a thread in the tile of A.
func (t tiledMMA) coordA(thread, v int) string {
	return fmt.Sprintf("idx2crd((%s)(%d,%d), (%s,%s))", t.layoutA(), thread, v, t.sizeOf(0), t.sizeOf(2))
}

// ownsA asserts the stated coordinate of a value.
func ownsA(t tiledMMA, thread, v int) func(c *checker) {
	return func(c *checker) { c.is(t.coordA(thread, v), strings.ReplaceAll(*c.row.Stated, " ", "")) }
}

// bijection asserts that a layout is a bijection onto 0..n-1, by girih's answer and by the layout's table.
func bijection(layout string, n int64) func(c *checker) {
	return func(c *checker) {
		c.is("is_bijective("+layout+")", "true")
		t := layoutText(layout).Table()
		c.holds(int64(len(t)) == n && judge.Injective(t) && slices.Max(t) == n-1,
			"%s is no bijection onto %d offsets", layout, n)
	}
}

// undoneBy asserts A(B(x)) = x for the right inverse B.
func undoneBy(layout string) func(c *checker) {
	return func(c *checker) {
		c.is("equivalent("+layout+" o right_inverse("+layout+"), "+fmt.Sprint(layoutText(layout).Size())+":1)", "true")
	}
}

// literalsAreDynamic asserts that _2 is known at compile time and 2 only at run time, as C++ prints integers.
func literalsAreDynamic(c *checker) {
	c.holds(atRunTime("(2,3)"), "(2,3) is static")
	c.holds(!atRunTime("(_2,_3)"), "(_2,_3) is dynamic")
	c.is("(_2,_3) == (2,3)", "true")
}

// blockIsInner asserts that mode 0 of the product is A, the fast mode, and that B enumerates the copies.
func blockIsInner(c *checker) {
	const p = "logical_product(4:2, 2:1)"
	c.is("get<0>("+p+")", "4:2")
	c.is("rank("+p+")", "2")
	r := ask(p)
	for i := range 4 {
		c.is(fmt.Sprintf("(%s)(%d)", r.text(), i), fmt.Sprint(2*i))
	}
	c.is("get<1>("+p+")", "2:1") // the offsets of the copies, in the order of B
	c.not("get<0>("+p+")", "2:1")
}

// inRegisters asserts that every element of the operands belongs to exactly one thread and value.
func inRegisters(a mmaAtom) func(c *checker) {
	return all(bijection(a.a, int64(a.m*a.k)), bijection(a.b, int64(a.n*a.k)), bijection(a.c, int64(a.m*a.n)))
}

// inShared asserts that all threads see the whole operand, as they do in shared memory: the thread mode has stride 0.
func inShared(layout string, n int64) func(c *checker) {
	return all(is("stride<0>("+layout+")", "0"), is("size<1>("+layout+")", fmt.Sprint(n)),
		is("cosize("+layout+")", fmt.Sprint(n)))
}

// hopperOperands asserts that B is in shared memory, and that A is in shared memory or in registers.
func hopperOperands(c *checker) {
	inShared(sm90SS.b, 128*16)(c)
	inShared(sm90SS.a, 64*16)(c)
	bijection(sm90A, 64*16)(c)
}

// registerOrSharedA asserts that the quoted layout gives each thread 8 values of its own, while the layout of the
// operand in shared memory gives every thread all 1024 values.
func registerOrSharedA(c *checker) {
	c.is(*c.row.Stated, sm90A)
	bijection(sm90A, 64*16)(c)
	c.is("size<1>("+sm90A+")", "8")
	inShared(sm90SS.a, 64*16)(c)
	c.not(sm90SS.a, *c.row.Stated)
}

// operationPattern matches the name of an MMA operation: arch_MxNxK_DABC_AB.
var operationPattern = regexp.MustCompile(`^(SM\d+)_(\d+)x(\d+)x(\d+)_((?:F16|F32|BF16)+)_([TN]{2}|SS|RS)$`)

func operationName(c *checker) {
	for _, a := range []mmaAtom{sm70TN, sm70NT, sm75, sm80, sm90SS} {
		p := operationPattern.FindStringSubmatch(a.name)
		c.holds(p != nil && p[2] == strconv.Itoa(a.m) && p[3] == strconv.Itoa(a.n) && p[4] == strconv.Itoa(a.k),
			"the name %s does not spell %dx%dx%d", a.name, a.m, a.n, a.k)
	}
	p := operationPattern.FindStringSubmatch(sm70TN.name)
	c.holds(len(p) == 7 && p[1] == "SM70" && p[5] == "F16F16F16F16" && p[6] == "TN", "%v", p)
	// T: A is row-major in (M,K), so that the values of a thread, packed in its registers, are consecutive along K.
	c.is("idx2crd(("+sm70TN.a+")(0,1), (8,4))", "(0,1)")
	c.is("idx2crd(("+sm70NT.a+")(0,1), (8,4))", "(1,0)") // N is contiguous along M
}

// registersPerThread asserts the number of 32-bit registers that hold the 16-bit values of a thread.
func registersPerThread(c *checker) {
	var counts []string
	for _, l := range []string{sm70TN.c, sm70TN.a, sm70TN.b, sm70TN.c} { // D, A, B, C
		values := ask("size<1>(" + l + ")").text()
		n := ask(values + "*16/32").text()
		counts = append(counts, n)
	}
	got := strings.Join(counts, "+")
	c.holds(got == *c.row.Stated, "registers D+A+B+C: %s, want %s", got, *c.row.Stated)
	c.holds(c.row.True == fmt.Sprintf("D%s+A%s+B%s+C%s", counts[0], counts[1], counts[2], counts[3]),
		"%s, want %s", got, c.row.True)
}

// ptxInstruction asserts that the name of the operation determines the instruction (PTX ISA, mma.m8n8k4), and that the
// instruction has as many registers as the values of a thread fill.
func ptxInstruction(c *checker) {
	major := map[byte]string{'T': "row", 'N': "col"}
	layout := "TN"
	types := strings.Repeat(".f16", 4)
	got := fmt.Sprintf("mma.sync.aligned.m%dn%dk%d.%s.%s%s {4},{2},{2},{4}",
		sm70TN.m, sm70TN.n, sm70TN.k, major[layout[0]], map[byte]string{'T': "row", 'N': "col"}[layout[1]], types)
	c.holds(strings.HasPrefix(c.row.Quote, got), "%s, want %s", got, c.row.Quote)
	c.holds(strings.HasSuffix(sm70TN.name, "_"+layout), "%s is no %s", sm70TN.name, layout)
	c.is("size<1>("+sm70TN.c+")*16/32", "4")
	c.is("size<1>("+sm70TN.a+")*16/32", "2")
}

// traitsAre asserts the layouts that the row spells as A=... B=... C=...
func traitsAre(a mmaAtom) func(c *checker) {
	return func(c *checker) {
		want := fmt.Sprintf("A=%s B=%s C=%s", ask(a.a).text(), ask(a.b).text(), ask(a.c).text())
		c.holds(c.row.True == want, "%s, want %s", want, c.row.True)
	}
}

// threadJumps asserts that stride 16 is two columns of 8, (0,2), and not one column.
func threadJumps(c *checker) {
	c.is("stride<0>("+sm70NT.c+")", "(1,16,4)")
	c.is("idx2crd(1, (8,8))", "(1,0)")
	c.is("idx2crd(16, (8,8))", "(0,2)")
	c.is("idx2crd(4, (8,8))", "(4,0)")
	c.not("idx2crd(16, (8,8))", "(0,1)")
}

// stepsOfTN asserts that the next thread has the next m, and that the next value has the next k.
func stepsOfTN(c *checker) {
	c.is("("+sm70TN.a+")(1,0)", "1")
	c.is("idx2crd(("+sm70TN.a+")(1,0), (8,4))", "(1,0)")
	c.is("("+sm70TN.a+")(0,1)", "8")
	c.is("idx2crd(("+sm70TN.a+")(0,1), (8,4))", "(0,1)")
	c.not("idx2crd(("+sm70TN.a+")(1,0), (8,4))", "(0,1)")
}

// stepsOfNT asserts that logical thread 4, physical 16, has the second half of a column; value 1 of thread 1 is (1,1).
func stepsOfNT(c *checker) {
	c.is("("+sm70NT.a+")(4,0)", "4")
	c.is("idx2crd(("+sm70NT.a+")(4,0), (8,4))", "(4,0)")
	c.is("("+quadPair+")(4)", "16")
	c.is("idx2crd(("+sm70NT.a+")(1,1), (8,4))", "(1,1)")
	c.not("idx2crd(("+sm70NT.a+")(1,1), (8,4))", "(0,1)")
}

// tileShapes asserts that A is 64x16, B is 128x16 and C is 64x128.
func tileShapes(c *checker) {
	p := operationPattern.FindStringSubmatch(sm90SS.name)
	c.holds(p != nil && strings.Join(p[2:5], "x") == "64x128x16", "%v", p)
	c.holds(strings.Contains(c.row.True, sm90SS.name), "the row names another type: %s", c.row.True)
	c.is("shape<1>("+sm90SS.a+")", "(64,16)")
	c.is("shape<1>("+sm90SS.b+")", "(128,16)")
	c.is("size("+sm90SS.c+")", fmt.Sprint(64*128))
}

// widthsOfWGMMA asserts that N is any multiple of 8 from 8 to 256 (PTX ISA, wgmma.mma_async), and that for each N the
// accumulators are a bijection onto 64xN. The stated set lacks 27 of the 32 values.
func widthsOfWGMMA(c *checker) {
	var widths []int
	for n := 8; n <= 256; n += 8 {
		widths = append(widths, n)
		bijection(fmt.Sprintf("((4,8,4),(2,2,%d)):((128,1,16),(64,8,512))", n/8), int64(64*n))(c)
	}
	stated := []int{16, 32, 64, 128, 256}
	lacking := slices.DeleteFunc(slices.Clone(widths), func(n int) bool { return slices.Contains(stated, n) })
	c.holds(len(widths) == 32 && len(lacking) == 27, "%d widths, %d not in the stated set", len(widths), len(lacking))
	c.holds(strings.Contains(c.row.True, "any multiple of 8 from 8 to 256"), "the row says %s", c.row.True)
}

// experimentIsOneAtom asserts that a tile of one atom has the atom's layout, in terms of physical threads.
func experimentIsOneAtom(c *checker) {
	c.is("size("+experiment1.vmnk()+")", "8")
	l := experiment1.layoutC()
	for t := range 8 {
		for v := range 8 {
			c.is(fmt.Sprintf("(%s)((%s)(%d),%d)", l, quadPair, t, v), ask(fmt.Sprintf("(%s)(%d,%d)", sm70NT.c, t, v)).text())
		}
	}
}

// leadersOfGroups asserts that the atom at (m,n) of (2,2):(2,1) starts at thread 8m + 4n.
func leadersOfGroups(c *checker) {
	c.is(experiment2.vmnk(), "((4,2),2,2,1):((1,16),8,4,0)")
	c.holds(strings.HasPrefix(c.row.True, experiment2.vmnk()), "%s, want %s", experiment2.vmnk(), c.row.True)
	for m := range 2 {
		for n := range 2 {
			c.is(fmt.Sprintf("(%s)(0,%d,%d,0)", experiment2.vmnk(), m, n), fmt.Sprint(8*m+4*n))
		}
	}
}

// fourCopies asserts the same threads with four times the values: the tile repeats at (16,0), (0,16) and (16,16).
func fourCopies(c *checker) {
	want, _, _ := strings.Cut(c.row.True, " : ")
	c.is(experiment3.layoutC(), want)
	c.is("size<0>("+experiment3.layoutC()+")", "32")
	c.is("size("+experiment3.vmnk()+")", "32")
	c.is("get<1,1>("+experiment3.layoutC()+")", "(2,2):(16,512)")
	c.is("idx2crd(16, (32,32))", "(16,0)")
	c.is("idx2crd(512, (32,32))", "(0,16)")
	bijection(experiment3.layoutC(), 32*32)(c)
}

// threadFragmentShape asserts ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN))) after three divides and a composition.
func threadFragmentShape(c *checker) {
	e := experiment3.fragments("(64,96)", sm70NT.c, 0, 1)
	c.is("size<0,0>("+e+")", "8")           // ThrV: the threads of an atom
	c.is("shape(get<0,1>("+e+"))", "(2,2)") // (ThrM,ThrN): the atoms
	c.is("size<1,0>("+e+")", "8")           // FrgV: the values of a thread in an atom
	c.is("rank(get<1,1>("+e+"))", "2")
	c.is("product_each(shape(get<1,1>("+e+")))", "(4,6)") // 64/16 and 96/16 tiles
	c.is("size("+e+")", fmt.Sprint(64*96))
	c.is("is_bijective("+e+")", "true")
}
