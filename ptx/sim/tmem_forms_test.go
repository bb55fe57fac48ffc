package sim_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/ptx"
	"girih/ptx/sim"
)

// A tcgenForm is a line of the syntax of the PTX ISA 9.1, section 9.7.16: words in braces are alternatives, and an
// alternative may be empty. Braces of PTX are written as < and >.
type tcgenForm struct{ opcode, operands, target string }

const (
	tcgenGroup = "{.cta_group::1|.cta_group::2}"
	tcgenUseA  = "{|.collector::a::fill|.collector::a::use|.collector::a::lastuse|.collector::a::discard}"
	tcgenA     = "{%rd1|[%r2]}"
	tcgenLanes = "{|<%r1, %r1, %r1, %r1>, }"
)

// tcgenForms are all forms, apart from those whose operands depend on the modifiers.
func tcgenForms() []tcgenForm {
	useB := "{|"
	for i := range 4 {
		for _, op := range []string{"fill", "use", "lastuse", "discard"} {
			useB += fmt.Sprintf(".collector::b%d::%s|", i, op)
		}
	}
	useB = strings.TrimSuffix(useB, "|") + "}"
	list := []tcgenForm{
		{"alloc" + tcgenGroup + ".sync.aligned{|.shared::cta}.b32", "[{%r1|%rd1}], 64", ""},
		{"dealloc" + tcgenGroup + ".sync.aligned.b32", "%r1, 64", ""},
		{"relinquish_alloc_permit" + tcgenGroup + ".sync.aligned", "", ""},
		{"{wait::ld|wait::st}.sync.aligned", "", ""},
		{"{fence::before_thread_sync|fence::after_thread_sync}", "", ""},
		{"commit" + tcgenGroup + ".mbarrier::arrive::one{|.shared::cluster}.b64", "[%rd1]", ""},
		{"commit" + tcgenGroup + ".mbarrier::arrive::one{|.shared::cluster}.multicast::cluster.b64", "[%rd1], %rs1", ""},
		{"cp" + tcgenGroup + "{.128x256b|.4x256b|.128x128b|.64x128b.warpx2::02_13|.64x128b.warpx2::01_23|.32x128b.warpx4}{|.b8x16.b6x16_p32|.b8x16.b4x16_p64}", "[%r1], %rd1", ""},
		{"shift" + tcgenGroup + ".down", "[%r1]", ""},
		{"shift.down" + tcgenGroup, "[%r1]", ""},
	}
	for _, sp := range []struct{ word, operand string }{{"", ""}, {".sp", "[%r4], "}} {
		kinds := "{.kind::f16|.kind::tf32|.kind::f8f6f4}"
		more := func(opcode, operands string) { list = append(list, tcgenForm{opcode, operands, ""}) }
		lanes := "%rd2, " + sp.operand + "%r3, " + tcgenLanes + "%p1"
		more("mma"+sp.word+".cta_group::1"+kinds+tcgenUseA, "[%r1], "+tcgenA+", "+lanes)
		more("mma"+sp.word+".cta_group::1{.kind::f16|.kind::tf32}"+tcgenUseA, "[%r1], "+tcgenA+", "+lanes+", 3")
		more("mma"+sp.word+".cta_group::2"+kinds+tcgenUseA,
			"[%r1], "+tcgenA+", "+strings.Replace(lanes, "<%r1", "<%r1, %r1, %r1, %r1, %r1", 1))
		more("mma"+sp.word+tcgenGroup+".kind::i8"+tcgenUseA, "[%r1], "+tcgenA+", %rd2, "+sp.operand+"%r3, !%p1")
		more("mma"+sp.word+tcgenGroup+"{.kind::f16|.kind::tf32|.kind::f8f6f4|.kind::i8}.ashift{|.collector::a::lastuse|.collector::a::discard}",
			"[%r1], [%r2], %rd2, "+sp.operand+"%r3, %p1")
		more("mma"+sp.word+tcgenGroup+"{.kind::mxf8f6f4.block_scale{|.scale_vec::1X|.block32}|.kind::mxf4.block_scale{|.scale_vec::2X|.block32}|"+
			".kind::mxf4nvf4.block_scale{.scale_vec::2X|.scale_vec::4X|.block16|.block32}}"+tcgenUseA,
			"[%r1], "+tcgenA+", %rd2, "+sp.operand+"%r3, [%r5], [%r6], %p1")
		more("mma.ws"+sp.word+".cta_group::1{.kind::f16|.kind::tf32|.kind::f8f6f4|.kind::i8}"+useB,
			"[%r1], "+tcgenA+", %rd2, "+sp.operand+"%r3, %p1{|, %rd3}")
	}
	return append(list, tcgenMoves()...)
}

// tcgenMoves are the forms of ld and st, with as many registers as table 49 says.
func tcgenMoves() (list []tcgenForm) {
	for _, s := range []struct {
		shape string
		each  int
	}{{"32x32b", 1}, {"16x64b", 1}, {"16x32bx2", 1}, {"16x128b", 2}, {"16x256b", 4}} {
		for n := 1; n*s.each <= 128; n *= 2 {
			regs, split := strings.NewReplacer("{", "<", "}", ">").Replace(registers(10, n*s.each)), ""
			if s.shape == "16x32bx2" {
				split = ", 16"
			}
			list = append(list,
				tcgenForm{fmt.Sprintf("ld.sync.aligned.%s.x%d{|.pack::16b}.b32", s.shape, n), regs + ", [%r1]" + split, ""},
				tcgenForm{fmt.Sprintf("st.sync.aligned.%s.x%d{|.unpack::16b}.b32", s.shape, n), "[%r1]" + split + ", " + regs, ""})
			if n > 1 && (s.shape == "32x32b" || split != "") {
				list = append(list, tcgenForm{
					fmt.Sprintf("ld.red.sync.aligned.%s.x%d{.min|.max}{{|.abs}{|.NaN}.f32|.u32|.s32}", s.shape, n),
					regs + ", %r9, [%r1]" + split, "sm_103a",
				})
			}
		}
	}
	return list
}

// alternatives returns the texts of a text with alternatives.
func alternatives(text string) []string {
	from := strings.IndexByte(text, '{')
	if from < 0 {
		return []string{strings.NewReplacer("<", "{", ">", "}").Replace(text)}
	}
	depth, start, to := 0, from+1, 0
	var choices []string
	for i := from; to == 0; i++ {
		switch c := text[i]; {
		case c == '{':
			depth++
		case c == '|' && depth == 1:
			choices, start = append(choices, text[start:i]), i+1
		case c == '}':
			if depth--; depth == 0 {
				choices, to = append(choices, text[start:i]), i+1
			}
		}
	}
	var all []string
	for _, c := range choices {
		all = append(all, alternatives(text[:from]+c+text[to:])...)
	}
	return all
}

// All forms of the tcgen05 instructions are parsed and printed, and are run or refused for a reason that the PTX ISA
// gives.
func TestTensorForms(t *testing.T) {
	t.Parallel()
	refused := []struct{ word, text string }{
		{".ashift", "whether row r or row r + 2"},
		{".shift", "lane n + 1 or n - 1"},
		{".b8x16", "only in figures"},
		{".red.sync.aligned.16x32bx2", "both halves of a lane"},
	}
	n := 0
	for _, form := range tcgenForms() {
		for _, line := range alternatives("tcgen05." + form.opcode + " " + form.operands + ";") {
			n++
			got := runForm(t, form, line)
			want := ""
			for _, r := range refused {
				if strings.Contains(line, r.word) {
					want = r.text
				}
			}
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%s\nrefused: %q, want %q", line, got, want)
			}
		}
	}
	if n < 1700 {
		t.Errorf("%d forms", n)
	}
}

// runForm parses, prints and runs a form, and returns why it is refused, or "".
func runForm(t *testing.T, form tcgenForm, line string) string {
	t.Helper()
	target := "sm_100a"
	if form.target != "" {
		target = form.target
	}
	m, err := ptx.Parse(fmt.Sprintf(`.version 9.0
.target %s
.address_size 64
.visible .entry k()
{
	.reg .pred %%p<9>; .reg .b16 %%rs<9>; .reg .b32 %%r<150>; .reg .b64 %%rd<9>;
	%s
}`, target, line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	text := m.String()
	again, err := ptx.Parse(text)
	if err != nil || again.String() != text || !strings.Contains(text, strings.Fields(line)[0]) {
		t.Fatalf("%s is printed as\n%s\n%v", line, text, err)
	}
	p, err := sim.Load(m)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(t.Context(), memory(t, p), sim.Launch{Block: sim.Dim{X: 32}, Steps: 100})
	if f, ok := errors.AsType[*sim.Finding](err); ok && f.Kind == sim.KindUnsupported {
		return f.Message
	}
	return ""
}

// A tcgen05.ld.red reduces the columns of each lane.
func TestTensorReduce(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		op   string
		want func(lane uint32) uint32
	}{
		{"max.u32", func(lane uint32) uint32 { return lane<<10 + 6 }},
		{"min.s32", func(lane uint32) uint32 { return lane<<10 + 3 }},
		{"max.abs.f32", func(lane uint32) uint32 { return lane<<10 + 6 }}, // subnormal numbers
	} {
		body := fillColumns(16) + "tcgen05.ld.red.sync.aligned.32x32b.x4." + x.op + " {%r2, %r3, %r4, %r5}, %r6, [%wa+3];\n" +
			"tcgen05.wait::ld.sync.aligned;\n" + storeRow(6, 1)
		src := strings.Replace(tensorKernel(body), ".version 8.6\n.target sm_100a", ".version 8.8\n.target sm_103a", 1)
		got, res, f := runTensor(t, src, nil, 128)
		if f != nil || len(res.Lesser) > 0 {
			t.Fatalf("%s: %v, %v", x.op, f, res.Lesser)
		}
		for lane, v := range got {
			if v != x.want(uint32(lane)) {
				t.Fatalf("%s: %d in lane %d", x.op, v, lane)
			}
		}
		missing := strings.Replace(src, "%r6, [%wa+3]", "%r6, [%wa+14]", 1)
		if _, _, f := runTensor(t, missing, nil, 128); f == nil || f.Kind != sim.KindUninitialised {
			t.Errorf("%s of unwritten columns: %v", x.op, f)
		}
	}
}
