package lower

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/ptx"
)

// wantCode fails the test unless the error has the code.
func wantCode(t *testing.T, err error, code cute.Code) {
	t.Helper()
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != code {
		t.Errorf("got %v, want an error of the code %s", err, code)
	}
}

// lowered returns the last instruction of a kernel that contains m, with its registers numbered as in the text of m.
func lowered(t *testing.T, m atom.MMA) (string, *ptx.Func) {
	t.Helper()
	b := ptx.NewKernel("k")
	var o Operands
	for _, x := range []struct {
		o  atom.Operand
		to *ptx.Vec
	}{{atom.OperandC, &o.C}, {atom.OperandA, &o.A}, {atom.OperandB, &o.B}} {
		f, err := FragmentOf(m, x.o)
		if err != nil {
			f = Fragment{Count: 1, Register: 64} // a descriptor
		}
		*x.to = f.Regs(b)
	}
	o.D = o.C
	if m.Sparse != nil {
		o.Metadata = b.Reg(ptx.U32)
	}
	if err := MMA(b, m, o); err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	in, ok := f.Body.Stmts[len(f.Body.Stmts)-1].(*ptx.Instr)
	if !ok {
		t.Fatal("no instruction")
	}
	return in.String(), f
}

// Every instruction of sm_90 is lowered with the opcode and the numbers of operands and registers of its text, and the
// parser reads the result.
func TestMMA(t *testing.T) {
	t.Parallel()
	chips := map[string]int{}
	for m := range atom.MMAs() {
		target, err := TargetFor(m.Operation, "sm_90")
		if err != nil {
			wantCode(t, err, cute.CodeType)
			continue
		}
		if strings.Contains(m.Text, "\n") || strings.Contains(m.Text, " = ") {
			if err := MMA(ptx.NewKernel("k"), m, Operands{}); err == nil {
				t.Errorf("%s is lowered, and is no instruction: %s", m.Name, m.Text)
			}
			continue
		}
		chips[target.Chip]++
		text, f := lowered(t, m)
		plain := strings.ReplaceAll(text, "%p", "p") // a predicate is a word in the text of the atom
		for _, c := range []string{"%", "{", "}", ","} {
			if got, want := strings.Count(plain, c), strings.Count(m.Text, c); got != want {
				t.Errorf("%s: %d times %q, want %d:\n%s\n%s", m.Name, got, c, want, text, m.Text)
			}
		}
		opcode, _, _ := strings.Cut(m.Text, " ")
		if !strings.HasPrefix(text, opcode+" ") {
			t.Errorf("%s: %s", m.Name, text)
		}
		if m.Shape[1] <= 8 {
			if _, err := ptx.Parse(target.Module(f).String()); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
	}
	if chips["sm_90"] < 90 || chips["sm_90a"] != 4*528 {
		t.Errorf("lowered: %v", chips)
	}
}

func TestRegistersOfOneInstruction(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text string }{
		{
			"SM80_16x8x16_F32F16F16F32_TN",
			"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, " +
				"{%r0, %r1, %r2, %r3};",
		},
		{
			"SM90_64x8x16_F16F16F16_RS<K,MN>",
			"wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r0, %r1}, {%r2, %r3, %r4, %r5}, %rd0, %p0, 1, 1, 1;",
		},
		{
			"SM90::GMMA::SPARSE::GMMA_64x8x64_S32S8U8_SS_TN",
			"wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.u8 {%r0, %r1, %r2, %r3}, %rd0, %rd1, %r4, 0, %p0;",
		},
		{
			"SM80_8x8x4_F64F64F64F64_TN",
			"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd0, %rd1}, {%rd2}, {%rd3}, {%rd0, %rd1};",
		},
		{"SM61_DP4A", "dp4a.s32.s32 %r0, %r1, %r2, %r0;"},
	} {
		m, err := atom.FindMMA(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := lowered(t, m); text != tt.text {
			t.Errorf("%s: %s\nwant %s", tt.name, text, tt.text)
		}
	}
}

// The test checks that an atom whose text ends within an operand is refused without an endless loop.
func TestTextsWithoutAnEnd(t *testing.T) {
	t.Parallel()
	m, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"mma.sync {%0, %1;", "mma.sync [%0;", "mma.sync {%0}, , {%1};"} {
		m.Text = text
		wantCode(t, MMA(ptx.NewKernel("k"), m, Operands{}), cute.CodeType)
	}
}

func TestCopy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		text []string
	}{
		{"SM75_U16x4_LDSM_T", []string{"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r0, %r1}, [%r2];"}},
		{"SM90_U32x1_STSM_N", []string{"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r0], {%r1};"}},
		{"SM75_U32x1_MOVM_T", []string{"movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;"}},
		{"SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", []string{"cp.async.ca.shared.global.L2::128B [%r0], [%r1], 8;"}},
		{"UniversalCopy<uint128_t>", []string{
			"ld.shared.v2.b64 {%rd0, %rd1}, [%r1];", "st.shared.v2.b64 [%r0], {%rd0, %rd1};",
		}},
		{"UniversalCopy<uint8_t>", []string{"ld.shared.b8 %rs0, [%r1];", "st.shared.b8 [%r0], %rs0;"}},
		{"SM50_Shuffle_U32_2x2Trans_XOR4", []string{"and.b32 %r4, %r4, 4;", "shfl.sync.bfly.b32 %r6, %r5, 4, 31, -1;"}},
	} {
		c, err := atom.FindCopy(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		b := ptx.NewKernel("k")
		dst := b.Regs(ptx.B32, max(1, c.To.Registers()))
		src := b.Regs(ptx.B32, max(1, c.From.Registers()))
		if err := Copy(b, c, Side{dst, ptx.Shared}, Side{src, ptx.Shared}); err != nil {
			t.Fatal(err)
		}
		f, err := b.Func()
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, s := range f.Body.Stmts {
			lines = append(lines, s.String())
		}
		for _, want := range tt.text {
			if !slices.Contains(lines, want) {
				t.Errorf("%s: %q, without %s", tt.name, lines, want)
			}
		}
	}
	c, err := atom.FindCopy("SM90_TMA_LOAD<128>")
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, Copy(ptx.NewKernel("k"), c, Side{}, Side{}), cute.CodeType)
}

func TestTargetFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, chip, want string }{
		{"SM80_16x8x16_F32F16F16F32_TN", "", "sm_80 7.0"},
		{"SM80_16x8x16_F32F16F16F32_TN", "sm_90", "sm_90 7.8"},
		{"SM70_8x8x4_F32F16F16F32_TN", "", "sm_75 6.4"},
		{"SM90_64x8x16_F32F16F16_RS", "sm_90", "sm_90a 8.0"},
		{"SM90::GMMA::SPARSE::GMMA_64x8x64_S32S8U8_SS_TN", "", "sm_90a 8.4"},
		{"SM89_16x8x32_F16E4M3E5M2F16_TN", "", "sm_89 8.7"},
		{"SM90_64x8x16_F32F16F16_RS", "sm_100", "lacks"},
		{"SM90_64x8x16_F32F16F16_RS", "sm_89", "lacks"},
		{"SM100_MMA_F16BF16_SS_128x256", "sm_103", "sm_103a 8.8"},
		{"v_mfma_f32_32x32x8_f16", "sm_90", "AMD"},
	} {
		m, err := atom.FindMMA(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		target, err := TargetFor(m.Operation, tt.chip)
		got := target.Chip + " " + target.Version.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s on %q: %s, want %s", tt.name, tt.chip, got, tt.want)
		}
	}
	m, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		t.Fatal(err)
	}
	_, err = TargetFor(m.Operation, "gfx942")
	wantCode(t, err, cute.CodeName)
}

// The test checks that no two operations have the same name in PTX, because their kernels may share a module.
func TestSymbol(t *testing.T) {
	t.Parallel()
	of := map[string]string{}
	add := func(name string) {
		s := Symbol(name)
		if other, ok := of[s]; ok && other != name {
			t.Errorf("%s and %s are both %s", other, name, s)
		}
		of[s] = name
	}
	for m := range atom.MMAs() {
		add(m.Name)
	}
	for c := range atom.Copies() {
		add(c.Name)
	}
	if got := Symbol("SM90::GMMA_64x8<é,K>"); got != "SM90__GMMA_64x8___K_" {
		t.Errorf("got %s", got)
	}
}
