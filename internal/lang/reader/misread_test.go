package reader_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/internal/lang/reader"
)

// misread are texts that were once read wrongly: a part was read as the whole, or prose as a value. Each row lists the
// values in the text and the notations that are reported as unread.
var misread = []struct {
	text   string
	want   []string
	unread []string
}{
	// These are strides as other tools print them.
	{"(8,8):(F1,F9)", []string{"(8,8):(F2(1),F2(9))"}, nil},
	{"((2,2),8):((F1,F4),F9)", []string{"((2,2),8):((F2(1),F2(4)),F2(9))"}, nil},
	{"(F9,M):(1,F9)", []string{"(F9,M):(1,F9)"}, nil},
	{"Layout((8,8), (F1, F9))", []string{"(8,8):(F1,F9)"}, nil},
	{"complement((4,2):(F1,8), 64)", []string{"complement((4,2):(F2(1),8),64)"}, nil},
	{"!fly.layout<(16,16):(1E0,1E1)>", []string{"(16,16):(1@0,1@1)"}, nil},
	{"!fly.layout<(?,(4,4)):(?E0,(2E1,?{div=4}E1E0))>", []string{"(?,(4,4)):(?@0,(2@1,?{div=4}@0@1))"}, nil},
	{"!fly.coord_tensor<(0,0), (128,64):(1E0,1E1)>", []string{"(0,0) o (128,64):(1@0,1@1)"}, nil},
	{"lr in (1E5, 2E3)", nil, nil},
	{"!fly.composed_layout<32:2 o 0 o [32:1 o 0 o (4, 8) : (1, 4)]>", []string{"32:2 o 0 o (32:1 o 0 o (4,8):(1,4))"}, nil},
	{"!fly.composed_layout<SM<2,6,2> o 0 o (8, 64) : (64, 1)>", nil, []string{"FlyDSL swizzle_mod"}},
	{"!fly.coord_swizzle<CS<3,0,[1],0,[2]>>", nil, []string{"FlyDSL coord_swizzle"}},
	{"!fly.copy_atom<!fly_rocdl.load<shape = [128, 64]>, 16>", nil, []string{"!fly.copy_atom"}},
	// These texts are from Gluon and Triton.
	{"ttgl.PaddedSharedLayout([[512, 16]], [[0,1],[0,2],[1,0]], [], [2, 4])", []string{"padded_shared{intervals=[[512,16]], offset=[[0,1],[0,2],[1,0]], block=[], shape=[2,4]}"}, nil},
	{"PaddedSharedLayout([[512, 16]], [1, 0], [1, 1], [1, 1], [1, 0])", []string{"padded_shared{intervals=[[512,16]], order=[1,0], CTAsPerCGA=[1,1], CTASplitNum=[1,1], CTAOrder=[1,0]}"}, nil},
	{"gl.PaddedSharedLayout.with_identity_for([[4, 4]], [128, 64], [1, 0])", []string{"padded_shared{intervals=[[4,4]], shape=[128,64], order=[1,0]}"}, nil},
	{"gl.PartitionedSharedLayout(num_partitions=2, num_groups=1, partition_dim=0, partition_layout=gl.SwizzledSharedLayout(8,1,8,[1,0]))", []string{"partitioned_shared{numPartitions=2, numGroups=1, partitionDim=0, partitionLayout=swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]}}"}, nil},
	{"#ttg.shared_linear<{offset = [[0, 1], [1, 0]], block = []}, alignment = 16>", []string{"shared_linear{offset=[[0,1],[1,0]], block=[], alignment=16}"}, nil},
	{"ttgl.SharedLinearLayout([[0,1],[1,0]], [], 32)", []string{"shared_linear{offset=[[0,1],[1,0]], block=[], alignment=32}"}, nil},
	{"ttgl.BlockedLayout([1,4],[8,4],[4,1],[1,0],[[1,0]])", []string{"blocked{sizePerThread=[1,4], threadsPerWarp=[8,4], warpsPerCTA=[4,1], order=[1,0], CGALayout=[[1,0]]}"}, nil},
	{"ttgl.BlockedLayout([1,4],[8,4],[4,1],[1,0],[2,1],[2,1],[1,0])", []string{"blocked{sizePerThread=[1,4], threadsPerWarp=[8,4], warpsPerCTA=[4,1], order=[1,0], CTAsPerCGA=[2,1], CTASplitNum=[2,1], CTAOrder=[1,0]}"}, nil},
	{"gl.SliceLayout(1, gl.BlockedLayout([[1]], 3))", nil, []string{"BlockedLayout"}},
	{"AMDMFMALayout(4, [32,32,16], True, [2,2], 64)", []string{"amd_mfma{version=4, instrShape=[32,32,16], transposed=true, warpsPerCTA=[2,2], elementBitWidth=64}"}, nil},
	{"AMDMFMALayout(4, [2,2], [32,32], True)", []string{"amd_mfma{version=4, warpsPerCTA=[2,2], instrShape=[32,32], transposed=true}"}, nil},
	{"AMDWMMALayout(3, True, [[0,1],[1,0]], [[2,0]], [16,16,128])", []string{"amd_wmma{version=3, transposed=true, warpBases=[[0,1],[1,0]], regBases=[[2,0]], instrShape=[16,16,128]}"}, nil},
	{"AMDWMMALayout(2, False, [2,2], [16,16,16])", []string{"amd_wmma{version=2, transposed=false, warpsPerCTA=[2,2], instrShape=[16,16,16]}"}, nil},
	{"AMDWMMALayout(2, False, [2,2], [16,16,16], [1,1])", nil, []string{"AMDWMMALayout"}},
	{"TensorMemoryLayout((128, 128), 1, [], True)", []string{"tensor_memory{block=[128,128], colStride=1, CGALayout=[], twoCTAs=true}"}, nil},
	{"gl.CoalescedLayout()", []string{"coalesced{}"}, nil},
	{"DistributedLinearLayout(1, 2, 3)", nil, []string{"DistributedLinearLayout"}},
	{"%1 = tt.make_range {end = 128 : i32, start = 0 : i32}", nil, nil},
	// These notations are not supported.
	{"T.Fragment([16, 16], forward_thread_fn=lambda i, j: i * 4 + j // 4, forward_index_fn=lambda i, j: j % 4)", []string{"(16,(4,4)):(4@0,(1@1,1@0))"}, nil},
	{"T.Fragment([16, 16], forward_thread_fn=lambda i, j: i * N)", nil, []string{"TileLang Fragment"}},
	{"T.Layout([M, 16], lambda i, j: i * 16 + j)", nil, []string{"TileLang Layout"}},
	{"loop Fragment([16, 16] -> [8], replicate: 1, thread: 32, forward_index: [_i % 2])\nand (4,8):(8,1)", []string{"(4,8):(8,1)"}, []string{"TileLang Fragment"}},
	{"ck_tile::tile_distribution_encoding<ck_tile::sequence<1>, ck_tile::tuple<ck_tile::sequence<4, 2>>>", nil, []string{"ck_tile tile_distribution_encoding"}},
	{"tuple<sequence<4, 2, 8>, sequence<4, 2>>", nil, []string{"ck_tile sequence"}},
	{"make_tuple(number<32>{}, number<8>{})", nil, []string{"number"}},
	{"S[(32,4):(1@laneid,1)]", nil, []string{"TVM TIRx axis layout"}},
	{"TileLayout(\n  S[(8, 4) : (4@laneid, 1)]\n  + R[2 : 4@warpid] + 5@warpid\n)", nil, []string{"TVM TIRx axis layout"}},
	{"(32,4):(1@laneid,1)", nil, []string{"layout (32,4):(1@laneid,1)"}},
	{"View(shape=(4,4), strides=(4,1), offset=3, mask=None, contiguous=False)", nil, []string{"tinygrad View"}},
	{"memref<4x8xf32, strided<[8, 1], offset: 3>>", nil, []string{"MLIR memref"}},
	{"Layout(shape=[(2, 2) 2, 2], stride=[8, 1, 4, 2])", nil, []string{"Layout(...)"}},
	{"Block((4,8), Layout((2,3),(3,1)))", []string{"(2,3):(3,1)"}, []string{"Block(...)"}},
	{"make_tile(Layout<_3,_1>{}, auto r = f(a))", []string{"3:1"}, nil},
	// These layouts have run-time integers.
	{"cute.make_layout((2,(1,6)),stride=(1,(cutlass.Int32(6),2)))", []string{"(2,(1,6)):(1,(?,2))"}, nil},
	{"(2,(1,cutlass.Int32(6)))", []string{"(2,(1,?))"}, nil},
	{"Layout<Shape<_1,Int<sizeof_bits<S>::value>>>", []string{"(1,?):(0,1)"}, nil},
	// These are comments, tables and declarations.
	{"// auto t = make_tile(Layout<_3,_1>{}, // Apply 3:1\n// Layout<_8,_1>{}); // Apply 8:1\nauto result = f(a);", []string{"<3:1,8:1>", "8:1"}, nil},
	{"// make_layout(make_shape(_4{},\nauto x = 3;", nil, nil},
	{"        0|     4      8|    12\n        1|     5      9|    13", []string{"(2,4):(1,4)"}, nil},
	{"        0¦     4      8¦    12\n        1¦     5      9¦    13", []string{"(2,4):(1,4)"}, nil},
	{"     0   1   2\n 0 | 0   1   2\n 1 | 3   4   5\n", []string{"(2,3):(3,1)"}, nil},
	{"struct SM70_8x8x4_F16F16F16F16_TN\n{\n  using DRegisters = uint32_t[4];\n  static void fma(uint32_t& d0) { asm(\"\" : \"=r\"(d0)); }\n};", []string{"MMAAtom{op=SM70_8x8x4_F16F16F16F16_TN, DRegisters=uint32_t[4]}"}, nil},
	{"template <>\nstruct MMA_Traits<SM70_8x8x4_F32F16F16F32_NT>\n{\n  using ValTypeD = float;\n  using Shape_MNK = Shape<_8,_8,_4>;\n  using ThrID = SM70_QuadPair;\n  using CLayout = Layout<Shape<_8,_8>,Stride<_1,_8>>;\n};", []string{"MMAAtom{op=SM70_8x8x4_F32F16F16F32_NT, ValTypeD=float, shape=(8,8,4), thrID=(4,2):(1,16), C=(8,8):(1,8)}"}, nil},
	{"make_layout(coalesce(layout<0>(a)), coalesce(layout<1>(a)))", []string{"make_layout(coalesce(layout<0>(a)),coalesce(layout<1>(a)))"}, nil},
	// These are prose, logs and code.
	{"value != 0 : Divide by zero", nil, nil},
	{"a != 0 : b", nil, nil},
	{`assert value != 0 : "Divide by zero"`, nil, nil},
	{"x ? 4 : 8", nil, nil},
	{"return a ? 4:8;", nil, nil},
	{"f(x) = x ? (1,2):(3,4);", nil, nil},
	{"{(0,1): (2,3), (1,1): (4,5)}", nil, nil},
	{"12:30:05", nil, nil},
	{"at 10:30 the ratio 3:1 of a 16:9 video was at odds 5:2 against", nil, nil},
	{"the ratio is 3:1", nil, nil},
	{"John 3:16, lines 3:7 and chapter 3:16-18", nil, nil},
	{"file.cpp:12:5: error at http://host:80", nil, nil},
	{"won the match (3:1), a (1:1) relation", nil, nil},
	{"x[0:4], x[2:4, 8:16] and a[::2]", nil, nil},
	{"docker run -p 80:80 nginx", nil, nil},
	{"5@10:30", nil, nil},
	{"std::cout << 4:1; a < 3:4", nil, nil},
	{"user4@1.com", nil, nil},
	{"the tile 4:1 and the layout 6:3", []string{"4:1", "6:3"}, nil},
	{"A = 4:2 and ThrID: 32:1", []string{"4:2", "32:1"}, nil},
	{"12:1\n4:2\n", []string{"12:1", "4:2"}, nil},
	{"auto [4:1;2:1]", []string{"<4:1,2:1>"}, nil},
}

// TestMisread checks that the reader finds only the stated values in texts that resemble values.
func TestMisread(t *testing.T) {
	t.Parallel()
	for _, c := range misread {
		var got, unread []string
		r := reader.Read(c.text)
		for _, it := range r.Items {
			got = append(got, it.Text)
		}
		for _, u := range r.Unread {
			unread = append(unread, u.Name)
		}
		if !slices.Equal(got, c.want) || !slices.Equal(unread, c.unread) {
			t.Errorf("Read(%q)\n got %q, not read %q\nwant %q, not read %q", c.text, got, unread, c.want, c.unread)
		}
	}
}

// TestMisreadNotes checks the notes on values that a reader may take for something else.
func TestMisreadNotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"(8,8):(F1,F9)":                                 "F9 is read as F2(9), as PyCuTe prints it",
		"(2,(1,cutlass.Int32(6)))":                      "cutlass.Int32(6) is an integer of run time: read as ?, which is 6 here",
		"Kernel<Layout<Shape<_2,_3>,Stride<_3,_1>>, 4>": "it stands inside Kernel<...>, which is not read",
		"DotOperandLayout(0, mma, 8) # (2,3)":           "",
		"TensorMemoryLayout(b, 1, c)":                   "read by the present signature of TensorMemoryLayout; an older one names its arguments otherwise",
		"TV2Memory: Layout(shape=[2, 2, 2, 2], stride=[8, 1, 4, 2])\n 0| 4| 2| 6|\n 8 12 10 14\n 1 5 3 7\n 9 13 11 15\n": "the grid below it shows this layout",
	} {
		r := reader.Read(text)
		if len(r.Items) == 0 || want != "" && !slices.Contains(r.Items[0].Notes, want) || want == "" &&
			len(r.Items[0].Notes) > 0 {
			t.Errorf("Read(%q) = %+v, want the note %q", text, r.Items, want)
		}
	}
}

// words are pieces of prose and of values. Random texts are made of them.
var words = []string{
	"the", "layout", "a", "ratio", "at", "line", "tile", "value", "x", "M", "F9", "0", "1", "4", "12", "30", "128", ":",
	":", ",", ".", ";", "(", ")",
	"[", "]", "{", "}", "<", ">", "=", "==", "!=", "?", "->", "=>", "o", "@", "+", "-", "*", "/", "//", "#", "|", "\n",
	"\"", "'", "_", "_4", "1E0",
	"(4,8):(8,1)", "(4,8)", "4:1", "Sw<3,3,3>", "Layout", "make_layout", "make_shape", "Fragment", "S", "sequence<4,2>",
	"Foo", "foo", "Int<4>{}",
	"((2,2),3):((1,4),2)", "<4,8:1>", "1@0", "1@laneid", "Sw<3,4,3> o 0 o (8,64):(64,1)",
	"gl.BlockedLayout([1,4],[8,4],[4,1],[1,0])", "lambda i, j: i",
	"complement(4:2,16)", "struct", "using", "0 1 2 3", "shape=(2,4)", "stride=(4,1)", "cutlass.Int32(6)", "x.m", "tensor",
	"[[0,1],[2,3]]",
}

// proseLaws checks laws that hold for any text: the text of a value reads back as the value, and the input contains the
// value's numbers.
func proseLaws(t *rapid.T) {
	var b strings.Builder
	for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 1, 14).Draw(t, "words") {
		b.WriteString(w)
		if rapid.Bool().Draw(t, "space") {
			b.WriteByte(' ')
		}
	}
	text := b.String()
	for _, it := range reader.Read(text).Items {
		if it.Fault != "" {
			continue
		}
		switch it.Kind {
		case reader.KindLayout, reader.KindComposed, reader.KindTuple, reader.KindInt, reader.KindSwizzle, reader.KindTile,
			reader.KindRecord:
		default:
			continue
		}
		again := reader.Read(it.Text)
		if len(again.Items) != 1 || again.Items[0].Text != it.Text {
			t.Fatalf("Read(%q) gives %q, which is read as %+v, not read %v", text, it.Text, again.Items, again.Unread)
		}
		if at := strings.IndexAny(it.Text, "\n\r"); at >= 0 {
			t.Fatalf("Read(%q): %q has several lines", text, it.Text)
		}
	}
}

// proseWords are words that do not occur in texts on layouts.
var proseWords = []string{
	"the", "ratio", "is", "about", "won", "by", "a", "match", "of", "port", "host", "listens", "on", "warning", "line",
	"see", "from", "to", "until", "half", "past",
}

// pairLaws checks that 4:1 in a sentence about something else is not a value.
func pairLaws(t *rapid.T) {
	word := rapid.SampledFrom(proseWords)
	parts := []string{word.Draw(t, "first")}
	for range rapid.IntRange(1, 6).Draw(t, "length") {
		if rapid.Bool().Draw(t, "pair") {
			sep := rapid.SampledFrom([]string{":", " : ", ": "}).Draw(t, "colon")
			pair := fmt.Sprintf("%d%s%d", rapid.IntRange(0, 99).Draw(t, "a"), sep, rapid.IntRange(0, 99).Draw(t, "b"))
			around := rapid.SampledFrom([]string{"%s", "(%s)", "? %s", "!= %s", "< %s", "%s%%", "x[%s]"}).Draw(t, "around")
			parts = append(parts, strings.ReplaceAll(around, "%s", pair))
		}
		parts = append(parts, word.Draw(t, "word"))
	}
	text := strings.Join(parts, " ")
	if r := reader.Read(text); len(r.Items) > 0 {
		t.Fatalf("Read(%q) gives %q", text, r.Items[0].Text)
	}
}

// TestPairLaws draws sentences.
func TestPairLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, pairLaws)
}

// FuzzPairLaws is the same as a fuzz target.
func FuzzPairLaws(f *testing.F) { f.Fuzz(rapid.MakeFuzz(pairLaws)) }

// TestProseLaws draws texts.
func TestProseLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, proseLaws)
}

// FuzzProseLaws is the same as a fuzz target.
func FuzzProseLaws(f *testing.F) { f.Fuzz(rapid.MakeFuzz(proseLaws)) }
