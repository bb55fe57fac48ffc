package truth

import (
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/internal/machine/lower"
)

// execute simulates a card: it executes a batch by the tables of the rig.
func execute(t testing.TB, r *rig, b Batch) []uint32 {
	t.Helper()
	x := &multiplication{rig: r, xor: strings.Contains(r.m.Text, ".xor.popc")}
	var out []uint32
	m, n, k := int(r.m.Shape[0]), int(r.m.Shape[1]), int(r.m.Shape[2])
	selector := int(b.Kernel[len(b.Kernel)-1] - '0')
	for i := range b.Cases {
		image := func(o int) []uint32 { return b.In[b.In[4*i+o]:] }
		var expand []int
		if r.e != nil {
			chosen := make([]int, r.e.rows*r.e.groups)
			for f := range chosen {
				at := r.e.fields[selector][f]
				field := image(3)[at/32] >> (at % 32) & 15
				for p, pattern := range r.e.patterns {
					if pattern.field == field {
						chosen[f] = p
					}
				}
			}
			expand = r.e.expand(chosen)
		}
		value := func(o atom.Operand, held int) float64 {
			s := &r.sides[o]
			at := r.offset(o, s.at[held], 0) + r.view.parts[o]*s.part
			code := uint64(image(int(o))[at/32]) >> (at % 32)
			if s.part == 64 {
				code |= uint64(image(int(o))[at/32+1]) << 32
			} else {
				code &= 1<<s.part - 1
			}
			typ := [3]dtype.Type{r.m.Types.A.Type, r.m.Types.B.Type, r.m.Types.C.Type}[o]
			if typ == dtype.B1 {
				return float64(code)
			}
			v, err := typ.Decode(code)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		d := make([]uint32, x.size(atom.OperandC))
		sums := make([][]float64, r.m.Types.C.Parts)
		for part := range sums {
			r.view = partOfAll(part)
			for i := range m * n {
				sums[part] = append(sums[part], value(atom.OperandC, i))
			}
		}
		for _, r.view = range r.views {
			av, bv := make([]float64, m*k), make([]float64, n*k)
			for kk := range k {
				for mm := range m {
					held := mm + kk*m
					if expand != nil {
						held = expand[held]
					}
					if held >= 0 {
						av[mm+kk*m] = value(atom.OperandA, held)
					}
				}
				for nn := range n {
					bv[nn+kk*n] = value(atom.OperandB, nn+kk*n)
				}
			}
			for i := range m * n {
				for kk := range k {
					a, b := av[i%m+kk*m], bv[i/m+kk*n]
					p := a * b
					if x.xor {
						p = a + b - 2*p
					}
					if r.view.negative {
						p = -p
					}
					sums[r.view.parts[atom.OperandC]][i] += p
				}
			}
		}
		for part := range sums {
			r.view = partOfAll(part)
			for i, sum := range sums[part] {
				code, err := encode(r.m.Types.C.Type, sum)
				if err != nil {
					t.Fatal(err)
				}
				if code != 0 {
					r.put(d, atom.OperandC, r.sides[2].at[i], code)
				}
			}
		}
		out = append(out, d...)
	}
	return out
}

// check executes the probe on the software card of r.
func check(t testing.TB, p *Probe, r *rig) Finding {
	t.Helper()
	outs := make([][]uint32, len(p.Batches))
	for i, b := range p.Batches {
		outs[i] = execute(t, r, b)
	}
	return p.Check(outs)
}

// kinds has an operation of each kind.
var kinds = []string{
	"UniversalFMA<float,float,float,float>", "SM61_DP4A", "SM70_8x8x4_F32F16F16F32_NT", "SM80_16x8x16_F16F16F16F16_TN",
	"SM80_16x8x8_F32BF16BF16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN", "SM80_8x8x4_F64F64F64F64_TN",
	"SM80_8x8x4_C64C64C64C64_TN", "SM80_8x8x4_GC64C64C64GC64_TN", "SM90_16x8x4_C64C64C64C64_TN",
	"SM80_16x8x32_S32S8U8S32_TN_SATURATE", "SM80_16x8x32_S32S4U4S32_TN", "SM80_8x8x128_S32U1U1S32_TN_XORPOPC",
	"SM80_16x8x128_S32U1U1S32_TN_ANDPOPC", "SM89_16x8x32_F32E4M3E5M2F32_TN",
	"SM90_16x8x8_F64F64F64F64_TN", "SM90_64x8x16_F32F16F16_RS", "SM90_64x8x16_F16F16F16_SS", "SM90_64x8x32_F16E5M2E4M3_SS_TN",
	"SM90::GMMA::SPARSE::GMMA_64x8x32_F32F16F16_RS", "SM90::GMMA::SPARSE::GMMA_64x8x16_F32TF32TF32_SS_TN",
	"SM90::GMMA::SPARSE::GMMA_64x8x64_S32S8U8_RS_TN",
}

// tried lists the kinds to test. With -short it lists only the last kinds, because the race detector takes ten times as
// long.
func tried() []string {
	if testing.Short() {
		return kinds[len(kinds)-2:]
	}
	return kinds
}

// exchanged are the kinds for which TestMMA exchanges places.
var exchanged = []string{
	"SM61_DP4A", "SM70_8x8x4_F32F16F16F32_NT", "SM80_16x8x16_F16F16F16F16_TN", "SM80_8x8x128_S32U1U1S32_TN_XORPOPC",
	"SM80_8x8x4_C64C64C64C64_TN", "SM80_8x8x4_GC64C64C64GC64_TN",
	"SM90_64x8x16_F16F16F16_SS", "SM90_64x8x16_F32F16F16_RS", "SM90::GMMA::SPARSE::GMMA_64x8x32_F32F16F16_RS",
}

func rigOf(t testing.TB, name string, pattern descriptor.Pattern) (*rig, lower.Target) {
	t.Helper()
	m, err := atom.FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	target, err := lower.TargetFor(m.Operation, "sm_90")
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRig(m, pattern)
	if err != nil {
		t.Fatal(err)
	}
	return r, target
}

// layoutsOf returns the experiments on a rig without the sums.
func layoutsOf(t *testing.T, r *rig, target lower.Target) *Probe {
	t.Helper()
	x, err := newMultiplication(r)
	if err != nil {
		t.Fatal(err)
	}
	x.model = nil
	p, err := x.probe(target)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A card that agrees with the tables passes. If two places of an operand are exchanged, the first of them is reported.
// By default one operand of an instruction is exchanged.
func TestMMA(t *testing.T) {
	t.Parallel()
	for i, name := range tried() {
		r, target := rigOf(t, name, descriptor.SW64)
		p := layoutsOf(t, r, target)
		if f := check(t, p, r); !f.Agrees || f.Cases == 0 {
			t.Errorf("%s: %+v", name, f)
		}
		for o := range 3 {
			if testing.Short() || long.Skips(i+o, 3) || !slices.Contains(exchanged, name) ||
				r.sides[o].places < 2 || o < 2 && r.m.Shape[o] < 2 {
				continue
			}
			wrong, _ := rigOf(t, name, descriptor.SW64)
			s := &wrong.sides[o]
			// These are rows 1 and 2 of the last column.
			i := (s.columns-1)*s.rows + 1
			s.at[i], s.at[i+1] = s.at[i+1], s.at[i]
			s.index[s.at[i]], s.index[s.at[i+1]] = i, i+1
			p := layoutsOf(t, wrong, target)
			f := check(t, p, r)
			places := [2]string{r.placeName(o, s.at[i]), r.placeName(o, s.at[i+1])}
			if f.Agrees || !strings.HasPrefix(f.First, places[0]+" ") && !strings.HasPrefix(f.First, places[1]+" ") {
				t.Errorf("%s, %v: found %q, want one of %q", name, atom.Operand(o), f.First, places)
			}
		}
	}
}

func (r *rig) placeName(o, p int) string { return (&multiplication{rig: r}).place(atom.Operand(o), p) }

// Metadata in wrong places is found.
func TestMetadata(t *testing.T) {
	t.Parallel()
	for _, name := range tried() {
		r, target := rigOf(t, name, descriptor.INTER)
		if r.e == nil {
			continue
		}
		wrong, _ := rigOf(t, name, descriptor.INTER)
		f := wrong.e.fields[0]
		f[3], f[130] = f[130], f[3]
		p := layoutsOf(t, wrong, target)
		if f := check(t, p, r); f.Agrees {
			t.Errorf("%s: two fields of metadata were exchanged, and nothing differs", name)
		}
	}
}
