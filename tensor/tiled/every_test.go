package tiled_test

import (
	"bufio"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
	"girih/tensor/tiled"
)

// Every copy of the table gives each value of the destination the value of the source with the same number; copies that
// write what they read several times give the value at the same place.
func TestEveryCopy(t *testing.T) {
	t.Parallel()
	done := 0
	for c := range atom.Copies() {
		a, err := copyAtomOf(c)
		if err != nil {
			t.Fatal(err)
		}
		one := must(atom.MakeTiledCopyTV(a, a.ValRef, cute.Ints(must(a.ValRef.Cosize()))))
		code := func(number int64) uint64 { return uint64(number*2654435761+12345) >> 3 & (1<<a.Type.Bits() - 1) }
		src, dst := partOf(a, a.ValSrc, c.From.Space), partOf(a, a.ValDst, c.To.Space)
		numbers, want := must(a.ValSrc.AppendOffsets(nil)), []uint64{}
		for i, n := range numbers {
			_ = src.Set(code(n), int64(i))
		}
		written := must(a.ValDst.AppendOffsets(nil))
		for i, n := range written {
			if strings.Contains(c.Note, "value v of the destination") {
				n = numbers[i]
			}
			want = append(want, code(n))
		}
		if err := tiled.Copy(one, src, dst); err != nil {
			t.Errorf("%s of %v: %v", c.Name, a.Type, err)
		} else if !slices.Equal(valuesOf(dst), want) {
			t.Errorf("%s of %v: not what its layouts say", c.Name, a.Type)
		}
		done++
	}
	if done < 200 {
		t.Errorf("%d copies", done)
	}
}

// partOf returns what all threads have of a side. Threads of two CTAs have separate memories, far from each other.
func partOf(a atom.CopyAtom, tv cute.Layout, in atom.Space) tensor.Tensor[uint64] {
	n := tv.AppendModeSizes(nil)
	apart := (n[1] + 127) / 128 * 128
	return must(tensor.AllocPacked(a.Type, must(cute.New(cute.Ints(n[0], n[1], 1), cute.Ints(apart, 1, 0))))).In(in)
}

// A copy of elements of 6 bits is made or refused, although the units of some are wider than the values of a thread.
func TestCopySixBits(t *testing.T) {
	t.Parallel()
	made := 0
	for c := range atom.Copies() {
		a, err := atom.MakeCopyAtom(c, dtype.E2M3)
		if err != nil {
			continue
		}
		one := must(atom.MakeTiledCopyTV(a, a.ValRef, cute.Ints(must(a.ValRef.Cosize()))))
		if tiled.Copy(one, partOf(a, a.ValSrc, c.From.Space), partOf(a, a.ValDst, c.To.Space)) == nil {
			made++
		}
	}
	if made == 0 {
		t.Error("every copy is refused")
	}
}

// copyAtomOf returns the copy on the widest values that it can move.
func copyAtomOf(c atom.Copy) (a atom.CopyAtom, err error) {
	for _, typ := range []dtype.Type{dtype.F32, dtype.F16, dtype.B8, dtype.E2M1, dtype.E2M3} {
		if a, err = atom.MakeCopyAtom(c, typ); err == nil {
			return a, nil
		}
	}
	return a, err
}

// Every instruction whose sum counts as measured was compared with an H200, using the same model.
func TestMeasured(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../../conformance/hardware/h200_instructions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	proven, models := map[string]bool{}, map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r struct {
			Atom, Status string
			Sums         struct {
				Model       string
				Sums, Agree int
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		proven[r.Atom] = proven[r.Atom] || r.Status == "proven"
		if r.Sums.Sums > 0 && r.Sums.Sums == r.Sums.Agree {
			models[r.Atom] = r.Sums.Model
		}
	}
	found := map[string]bool{} // of a wgmma, the narrowest was measured
	measured := 0
	for m := range atom.MMAs() {
		add := tiled.Arithmetic(m)
		if !add.Measured || m.Types.A.Parts > 1 {
			continue
		}
		measured++
		if !proven[m.Name] {
			t.Errorf("%s is said to be measured", m.Name)
		}
		if model, ok := models[m.Name]; ok {
			found[model] = true
			if model != add.Text {
				t.Errorf("%s adds %q, and the card %q", m.Name, add.Text, model)
			}
		}
	}
	for m := range atom.MMAs() {
		if add := tiled.Arithmetic(m); add.Measured && m.Types.A.Parts == 1 && !found[add.Text] {
			t.Errorf("%s adds %q, which was not compared", m.Name, add.Text)
		}
	}
	if measured < 1000 {
		t.Errorf("%d instructions", measured)
	}
}

// Every instruction multiplies undivided tensors and registers: small integers, which all types hold exactly. The
// refused instructions have more than three operands, or several products.
func TestEveryMMA(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 1))
	done, large := 0, 0
	for a := range atom.MMAs() {
		if a.Scale != nil || a.Sparse != nil || a.Blocks > 1 || a.Types.A.Parts > 1 {
			continue
		}
		if a.Shape[0]*a.Shape[1]*a.Shape[2] > 1<<13 {
			if large++; large%97 != 0 { // all of them pass, but that takes a minute
				continue
			}
		}
		done++
		m := must(atom.MakeTiledMMA(a, cute.Layout{}, nil))
		rows, columns, depth := a.Shape[0], a.Shape[1], a.Shape[2]
		operand := func(e atom.Element, x, y int64) ([]float64, tensor.Tensor[uint64]) {
			values := make([]float64, x*y)
			codes := make([]uint64, x*y)
			for i := range values {
				values[i] = float64(r.IntN(3) - 1)
				if e.Type.Kind() == dtype.Natural || e.Type.Kind() == dtype.Raw {
					values[i] = float64(r.IntN(2))
				}
				codes[i] = codeOf(e.Type, values[i])
			}
			return values, packed(e.Type, codes, layoutOf(r, x, y))
		}
		x, tA := operand(a.Types.A, rows, depth)
		y, tB := operand(a.Types.B, columns, depth)
		z, tC := operand(a.Types.C, rows, columns)
		var want []uint64
		for j := range columns {
			for i := range rows {
				sum := z[i+rows*j]
				for k := range depth {
					if strings.Contains(a.Text, ".xor.") {
						sum += math.Abs(x[i+rows*k] - y[j+columns*k])
						continue
					}
					sum += x[i+rows*k] * y[j+columns*k]
				}
				want = append(want, codeOf(a.Types.C.Type, sum))
			}
		}
		if a.CFrom != atom.TensorMemory {
			part := must(tiled.PartitionC(m, tC))
			rC := registers(m, atom.OperandC, part)
			err := tiled.Gemm(m, registers(m, atom.OperandA, must(tiled.PartitionA(m, tA))),
				registers(m, atom.OperandB, must(tiled.PartitionB(m, tB))), rC)
			if err != nil {
				t.Errorf("%s, registers: %v", a.Name, err)
				continue
			}
			got := must(tensor.AllocPacked(a.Types.C.Type, must(cute.LayoutLeft(cute.Ints(rows, columns)))))
			if err := tensor.Copy(rC, must(tiled.PartitionC(m, got))); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(valuesOf(got), want) {
				t.Errorf("%s: registers have another product", a.Name)
			}
		}
		if err := tiled.Gemm(m, tA, tB, tC); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		} else if !slices.Equal(valuesOf(tC), want) {
			t.Errorf("%s: another product", a.Name)
		}
	}
	if done < 100 {
		t.Errorf("%d instructions", done)
	}
}

// codeOf returns the code of a number; for raw bits, the number.
func codeOf(t dtype.Type, x float64) uint64 {
	if t.Kind() == dtype.Raw {
		return uint64(x)
	}
	return must(t.Encode(x))
}
