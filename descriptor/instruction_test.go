package descriptor

import (
	"testing"

	"pgregory.net/rapid"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// The descriptor of every operation of sm100 has the bits that CuTe's make_instr_desc sets, and decodes to itself.
func TestInstructionOfAll(t *testing.T) {
	t.Parallel()
	n := 0
	for m := range atom.MMAs() {
		if m.Arch != "sm100a" && m.Arch != "sm103a" || m.Types.A.Parts != 1 {
			continue
		}
		i, err := InstructionOf(m)
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		bits := i.Bits()
		if int64(bits>>17&0x3f) != m.Shape[1]>>3 || int64(bits>>24&0x1f) != m.Shape[0]>>4 ||
			bits>>2&1 == 1 != (m.Sparse != nil) {
			t.Errorf("%s: %#08x", m.Name, bits)
		}
		again, err := DecodeInstruction(i.Kind, bits)
		again.Group = i.Group // the bits do not contain Group
		if err != nil || again != i || again.K() != m.Shape[2] {
			t.Errorf("%s: %v, and back %v: %v", m.Name, i, again, err)
		}
		n++
	}
	if n < 200 {
		t.Errorf("%d operations", n)
	}
}

// Kernels use these values: DeepGEMM and CUTLASS for 128x256 and 256x256 of bf16, fp8, and block-scaled fp8.
func TestInstructionBits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		i    Instruction
		want uint32
	}{
		{Instruction{Kind: KindF16, A: dtype.BF16, B: dtype.BF16, D: dtype.F32, M: 128, N: 256}, 1<<4 | 1<<7 | 1<<10 | 32<<17 | 8<<24},
		{Instruction{Kind: KindF16, A: dtype.F16, B: dtype.F16, D: dtype.F16, M: 64, N: 8, BMajor: atom.MNMajor, NegateA: true}, 1<<13 | 1<<16 | 1<<17 | 4<<24},
		{Instruction{Kind: KindTF32, A: dtype.TF32, B: dtype.TF32, D: dtype.F32, M: 256, N: 32}, 1<<4 | 2<<7 | 2<<10 | 4<<17 | 16<<24},
		{Instruction{Kind: KindI8, A: dtype.S8, B: dtype.U8, D: dtype.S32, M: 128, N: 48, Saturate: true}, 1<<3 | 2<<4 | 1<<7 | 6<<17 | 8<<24},
		{Instruction{Kind: KindMXF8F6F4, A: dtype.E5M2, B: dtype.E2M1, D: dtype.F32, Scale: dtype.UE8M0, M: 128, N: 128, ScaleA: 3, ScaleB: 1}, 1<<4 | 1<<7 | 5<<10 | 16<<17 | 1<<23 | 8<<24 | 3<<29},
		{Instruction{Kind: KindMXF4NVF4, A: dtype.E2M1, B: dtype.E2M1, D: dtype.F32, Scale: dtype.UE4M3, M: 256, N: 64, K96: true}, 1<<7 | 1<<10 | 8<<17 | 16<<24 | 1<<31},
	} {
		if err := c.i.Check(); err != nil || c.i.Bits() != c.want {
			t.Errorf("%v: %#08x, want %#08x: %v", c.i, c.i.Bits(), c.want, err)
		}
		if again, err := DecodeInstruction(c.i.Kind, c.want); err != nil || again != c.i {
			t.Errorf("%#08x is %v: %v", c.want, again, err)
		}
	}
}

func drawInstruction(t *rapid.T) Instruction {
	types := rapid.SampledFrom([]dtype.Type{
		0, dtype.F16, dtype.BF16, dtype.TF32, dtype.F32, dtype.S32, dtype.S8,
		dtype.U8, dtype.E4M3, dtype.E2M1, dtype.UE8M0, dtype.UE4M3,
	})
	yes := func(name string) bool { return rapid.IntRange(0, 4).Draw(t, name) == 0 }
	return Instruction{
		Kind: Kind(rapid.IntRange(0, 8).Draw(t, "kind")), A: types.Draw(t, "a"), B: types.Draw(t, "b"), D: types.Draw(t,
			"d"), Scale: types.Draw(t, "scale"),
		AMajor: atom.Major(rapid.IntRange(0, 1).Draw(t, "amajor")), BMajor: atom.Major(rapid.IntRange(0, 1).Draw(t, "bmajor")),
		M: rapid.Int64Range(-8, 300).Draw(t, "m"), N: rapid.Int64Range(-8, 300).Draw(t, "n"),
		NegateA: yes("nega"), NegateB: yes("negb"), Saturate: yes("saturate"), Sparse: yes("sparse"), K96: yes("k96"),
		WS:       yes("ws"),
		Selector: rapid.IntRange(-1, 4).Draw(t, "selector"), MaxShift: rapid.SampledFrom([]int{0, 0, 8, 9, 32}).Draw(t, "shift"),
		ScaleA: rapid.IntRange(-1, 4).Draw(t, "sfa"), ScaleB: rapid.IntRange(-1, 4).Draw(t, "sfb"),
		Group: rapid.IntRange(-1, 3).Draw(t, "group"),
	}
}

// The nearest of every descriptor is legal; a legal descriptor is its own nearest, and decodes from its bits.
func nearestIsLegal(t *rapid.T) {
	i := drawInstruction(t)
	near, err := i.Nearest()
	if i.Kind == 0 || i.Kind > KindMXF4NVF4 {
		if !hasCode(err, cute.CodeType) {
			t.Fatalf("%v: %v", i, err)
		}
		return
	}
	if err != nil || near.Check() != nil {
		t.Fatalf("%+v: %+v: %v, %v", i, near, err, near.Check())
	}
	if i.Check() == nil && near != i {
		t.Fatalf("%v is legal, and its nearest %v", i, near)
	}
	again, err := DecodeInstruction(near.Kind, near.Bits())
	if near.WS && near.M != 32 && near.MaxShift == 0 || near.CTAs() != again.CTAs() {
		return // the bits do not determine the group
	}
	again.Group, again.WS = near.Group, near.WS
	if err != nil || again != near {
		t.Fatalf("%#08x of %+v is %+v: %v", near.Bits(), near, again, err)
	}
}

func TestNearestIsLegal(t *testing.T) { t.Parallel(); rapid.Check(t, nearestIsLegal) }

func FuzzNearestIsLegal(f *testing.F) { f.Fuzz(rapid.MakeFuzz(nearestIsLegal)) }

func TestInstructionRefusals(t *testing.T) {
	t.Parallel()
	legal := Instruction{Kind: KindF16, A: dtype.F16, B: dtype.F16, D: dtype.F32, M: 128, N: 128}
	for name, c := range map[string]struct {
		change func(*Instruction)
		code   cute.Code
	}{
		"type of A":       {func(i *Instruction) { i.A = dtype.TF32 }, cute.CodeType},
		"type of D":       {func(i *Instruction) { i.D = dtype.S32 }, cute.CodeType},
		"bf16 in f16":     {func(i *Instruction) { i.A, i.D = dtype.BF16, dtype.F16 }, cute.CodeType},
		"saturated float": {func(i *Instruction) { i.Saturate = true }, cute.CodeType},
		"shift":           {func(i *Instruction) { i.MaxShift = 8 }, cute.CodeType},
		"scale factors":   {func(i *Instruction) { i.Scale = dtype.UE8M0 }, cute.CodeType},
		"M of two":        {func(i *Instruction) { i.M, i.Group = 64, 2 }, cute.CodeExtent},
		"N of 4":          {func(i *Instruction) { i.N = 4 }, cute.CodeExtent},
		"N of two":        {func(i *Instruction) { i.M, i.N = 256, 24 }, cute.CodeExtent},
		"weights":         {func(i *Instruction) { i.WS, i.N = true, 32 }, cute.CodeExtent},
		"bytes across": {func(i *Instruction) {
			i.Kind, i.A, i.B, i.N, i.BMajor = KindF8F6F4, dtype.E4M3, dtype.E4M3, 24, atom.MNMajor
		}, cute.CodeExtent},
		"bits across": {func(i *Instruction) {
			i.Kind, i.A, i.B, i.BMajor = KindF8F6F4, dtype.E2M1, dtype.E2M1,
				atom.MNMajor
		}, cute.CodeType},
		"N of integers": {
			func(i *Instruction) { i.Kind, i.A, i.B, i.D, i.N = KindI8, dtype.S8, dtype.S8, dtype.S32, 40 },
			cute.CodeExtent,
		},
	} {
		i := legal
		c.change(&i)
		if err := i.Check(); !hasCode(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bits := range []uint32{1 << 6, 1 << 23, 1 << 29, 3 << 7, 3 << 4} {
		if _, err := DecodeInstruction(KindF16, legal.Bits()^bits); !hasCode(err, cute.CodeNotRepresentable) {
			t.Errorf("%#08x: %v", bits, err)
		}
	}
}

// Scale factors begin at the bytes of a word that their number allows (PTX ISA 9.7.16.10.7.2 and 9.7.16.10.7.3): any
// byte for 1, a half for 2, the word for 4; with K of 96 any byte for 3 and a half for 6.
func TestScaleIDs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind  Kind
		scale dtype.Type
		k96   bool
		ids   [4]bool
	}{
		{KindMXF8F6F4, dtype.UE8M0, false, [4]bool{true, true, true, true}},
		{KindMXF4, dtype.UE8M0, false, [4]bool{0: true, 2: true}},
		{KindMXF4NVF4, dtype.UE8M0, false, [4]bool{0: true, 2: true}},
		{KindMXF4NVF4, dtype.UE4M3, false, [4]bool{0: true}},
		{KindMXF4, dtype.UE8M0, true, [4]bool{true, true, true, true}},
		{KindMXF4NVF4, dtype.UE4M3, true, [4]bool{0: true, 2: true}},
	} {
		a := c.kind.Types()[0]
		for id, legal := range c.ids {
			i := Instruction{Kind: c.kind, A: a, B: a, D: dtype.F32, Scale: c.scale, K96: c.k96, M: 128, N: 64, ScaleB: id}
			if err := i.Check(); (err == nil) != legal {
				t.Errorf("%v: %v", i, err)
			}
		}
	}
}
