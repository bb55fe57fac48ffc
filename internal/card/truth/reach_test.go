package truth

import (
	"testing"

	"girih/atom"
)

// The results of a card that reads like the model, computed as products with the identity, are read back exactly.
func TestReach(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"SM90_64x8x16_F32F16F16_SS<MN,MN>", "SM90_64x32x32_S32S8S8_SS_TN", "SM90_64x8x8_F32TF32TF32_RS_TN",
		"SM90::GMMA::SPARSE::GMMA_64x8x32_F16F16F16_SS", "SM90::GMMA::SPARSE::GMMA_64x8x64_F32E4M3E4M3_SS_TN",
	} {
		m, err := atom.FindMMA(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []atom.Operand{atom.OperandA, atom.OperandB} {
			if o == atom.OperandA && m.AFrom != atom.SharedMemory {
				continue
			}
			x, err := newReach(m, o)
			if err == nil {
				err = x.prepare()
			}
			if err != nil {
				t.Fatalf("%s %v: %v", name, o, err)
			}
			out := x.simulate(t)
			f := x.compare(out)
			if n := len(x.descriptors); !f.Agrees || f.Cases != n || len(f.Descriptors) != n-x.forms {
				t.Fatalf("%s %v: %+v", name, o, f)
			}
			// Wrong digits in one case must be found.
			for i := range x.threads * x.sides[atom.OperandC].words {
				out[i] ^= 0x00010001
			}
			if f := x.compare(out); f.Agrees {
				t.Errorf("%s %v: a changed result is not seen", name, o)
			}
		}
	}
}

// simulate returns the results of a card that reads like the model.
func (x *reach) simulate(t *testing.T) []uint32 {
	t.Helper()
	codes := map[int32]uint64{}
	for code, d := range x.readings {
		codes[d] = code
	}
	words := x.threads * x.sides[atom.OperandC].words
	var all []uint32
	for _, d := range x.descriptors {
		p, err := x.predict(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range x.chunks {
			for n := range x.digits {
				out := make([]uint32, words)
				for j, column := range c.columns {
					for row := range x.sides[x.operand].rows {
						at := row + j*x.sides[atom.OperandC].rows
						if x.operand == atom.OperandB {
							at = j + row*x.sides[atom.OperandC].rows
						}
						e := int(p.Elements[row+column*x.sides[x.operand].rows])
						code := codes[int32(digit(e, n, len(x.alphabet.codes)))]
						x.put(out, atom.OperandC, x.sides[atom.OperandC].at[at], code)
					}
				}
				all = append(all, out...)
			}
		}
	}
	return all
}
