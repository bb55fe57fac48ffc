package truth

import (
	"fmt"
	"strings"
	"sync"

	"girih/atom"
	"girih/descriptor"
	"girih/internal/machine/dot"
	"girih/internal/machine/lower"
)

// An Atom is an instruction, or its descriptors, that can be compared with a card.
type Atom struct {
	Name   string
	Family string
	// Operand is A or B if the experiments are on that operand's descriptors, or "".
	Operand string
	// Pattern is the pattern of operands in shared memory, or "".
	Pattern string
	// Lacks is the reason why the chip has no such instruction, or nil.
	Lacks error
	// Make makes the experiments. Its error is the reason why there are none.
	Make func() (*Probe, error)
	// Tables returns the digest of the tables observed on a card that agrees with package atom.
	Tables func() (string, error)
	// Sums returns the digest of the sums of a card that adds like the model, or is nil.
	Sums func() (string, error)
}

// Atoms returns all instructions of NVIDIA in the tables, as a chip has them: multiplications, then copies.
// Instructions with operands in shared memory alternate between the patterns. For some N, operands of 16 bits also
// occur M- or N-major.
func Atoms(chip string) []Atom {
	var all []Atom
	for m := range atom.MMAs() {
		if strings.HasPrefix(m.Arch, "gfx") {
			continue
		}
		for _, variant := range majorsOf(m) {
			all = append(all, OfMMA(variant, chip))
		}
	}
	for m := range atom.BareMMAs() {
		all = append(all, OfMMA(m, chip))
	}
	for c := range atom.Copies() {
		if !strings.HasPrefix(c.Arch, "gfx") {
			all = append(all, OfCopy(c, chip))
		}
	}
	return all
}

// digests caches digests by everything on which a digest depends. Operations on different types often have the same
// tables, and operations with operands in different memories the same sums.
var digests sync.Map

// once returns the digest of a key, and computes it the first time.
func once(key string, compute func() (string, error)) (string, error) {
	if digest, ok := digests.Load(key); ok {
		return digest.(string), nil
	}
	digest, err := compute()
	if err == nil {
		digests.Store(key, digest)
	}
	return digest, err
}

// OfMMA returns the atom of an operation.
func OfMMA(m atom.MMA, chip string) Atom {
	p := patternOf(m)
	a := Atom{Name: m.Name, Family: familyOf(m), Make: func() (*Probe, error) { return MMA(m, p, chip) }}
	if m.BFrom == atom.SharedMemory {
		a.Pattern = p.String()
	}
	of := func(digest func(*multiplication) string) func() (string, error) {
		return func() (string, error) {
			r, err := newRig(m, p)
			if err != nil {
				return "", err
			}
			x, err := newMultiplication(r)
			if err != nil {
				return "", err
			}
			return digest(x), nil
		}
	}
	a.Tables = func() (string, error) {
		key := fmt.Sprint(m.ThrID, m.A, m.B, m.C, m.Shape, m.AFrom, m.BFrom, m.AMajor, m.BMajor,
			m.Types.A.Bits(), m.Types.B.Bits(), m.Types.A.Sparsity, m.Types.C.Parts, p)
		return once(key, of((*multiplication).predict))
	}
	if model, err := dot.ModelOf(m); err == nil && m.Shape[1] <= 8 {
		key := fmt.Sprintf("sums %v %v %#v", m.Shape, m.Types, model)
		if m.Sparse != nil {
			key += fmt.Sprint(m.Sparse.Kept, m.Sparse.Of)
		}
		a.Sums = func() (string, error) {
			return once(key, of(func(x *multiplication) string { return newSums(x).predict(x.model) }))
		}
	}
	_, a.Lacks = lower.TargetFor(m.Operation, chip)
	return a
}

// OfCopy returns the atom of a copy.
func OfCopy(c atom.Copy, chip string) Atom {
	opcode, _, _ := strings.Cut(c.Text, ".")
	if strings.Contains(opcode, " ") {
		opcode = c.Kind.String()
	}
	a := Atom{Name: c.Name, Family: opcode, Make: func() (*Probe, error) { return Copy(c, chip) }}
	a.Tables = func() (string, error) {
		x, _, err := newTransfer(c, chip)
		if err != nil {
			return "", err
		}
		return x.predict(), nil
	}
	_, a.Lacks = lower.TargetFor(c.Operation, chip)
	return a
}

// patternOf chooses the pattern of operands in shared memory, so that all patterns occur.
func patternOf(m atom.MMA) descriptor.Pattern {
	p := descriptor.Pattern((m.Shape[1]/8 + 2*int64(m.AMajor) + int64(m.BMajor)) % 4)
	if m.Sparse != nil && p == descriptor.SW32 && m.BMajor == atom.KMajor {
		return descriptor.SW128 // B has rows of 64 bytes
	}
	return p
}

// majorsOf returns the operation, and for some N also with M- or N-major operands in shared memory.
func majorsOf(m atom.MMA) []atom.MMA {
	all := []atom.MMA{m}
	if !strings.HasPrefix(m.Arch, "sm90a") || m.Types.A.Type.Bits() != 16 || m.Shape[1]%56 != 8 && m.Shape[1] != 256 {
		return all
	}
	for _, majors := range []string{"K,MN", "MN,K", "MN,MN"} {
		if v, err := atom.FindMMA(m.Name + "<" + majors + ">"); err == nil {
			all = append(all, v)
		}
	}
	return all
}
