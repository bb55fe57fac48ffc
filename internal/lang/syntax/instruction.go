package syntax

import "strings"

// This file scans the names of instructions, which are C++ types of CUTLASS:
// SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>, SM120::SPARSE::SM120_..., UniversalCopy<uint128_t>. It
// also scans the names of layout atoms of shared memory: GMMA::Layout_K_SW128_Atom<half_t>.

// instructionFamilies are the names of instructions without a prefix for the architecture, and of types around
// instructions.
var instructionFamilies = [...]string{
	"UniversalFMA", "UniversalCopy", "AutoVectorizingCopy", "AutoVectorizingCopyWithAssumedAlignment", "DefaultCopy",
	"MMA_Atom", "Copy_Atom",
}

// amdInstructions are the prefixes of AMD's matrix instructions, which are written in lower and in upper case.
var amdInstructions = [...]string{"v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_"}

// IsInstruction reports whether a name has the form of an instruction's name, SM80_..., SM90::GMMA::...,
// UniversalCopy<...>, v_mfma_..., or of a layout atom's name, see [IsLayoutAtom]. The instruction may not exist.
func IsInstruction(name string) bool {
	if IsLayoutAtom(name) {
		return true
	}
	if digits, ok := strings.CutPrefix(name, "SM"); ok {
		rest := strings.TrimLeft(digits, "0123456789")
		return len(rest) < len(digits) && (strings.HasPrefix(rest, "_") || strings.HasPrefix(rest, "::"))
	}
	switch name[:min(1, len(name))] {
	case "v", "V":
		for _, p := range amdInstructions {
			if len(name) > len(p) && strings.EqualFold(name[:len(p)], p) {
				return true
			}
		}
	case "U", "A", "D", "M", "C":
		base, _, _ := strings.Cut(name, "<")
		for _, f := range instructionFamilies {
			if base == f {
				return true
			}
		}
	}
	return false
}

// IsLayoutAtom reports whether a name has the form of a shared memory layout atom's name, Layout_K_SW128_Atom,
// GMMA::Layout_..., UMMA::Layout_..., or is the beginning of such a name, GMMA::. The atom may not exist.
func IsLayoutAtom(name string) bool {
	base, space := strings.CutPrefix(name, "GMMA::")
	if !space {
		base, space = strings.CutPrefix(name, "UMMA::")
	}
	base, _, _ = strings.Cut(base, "<")
	return space && base == "" || strings.HasPrefix(base, "Layout_") && strings.HasSuffix(base, "Atom")
}

// instruction scans the rest of the name of an instruction, whose first word ends at i: namespaces, and template
// arguments up to their last bracket on the line. It returns the end of the name.
func (s *scanner) instruction(start, i int) int {
	for s.at(i) == ':' && s.at(i+1) == ':' && classes[s.at(i+2)] == classLetter {
		if !IsInstruction(s.src[start : i+2]) {
			return i
		}
		for i += 2; classes[s.at(i)] == classLetter || classes[s.at(i)] == classDigit || s.at(i) == '_'; i++ {
		}
	}
	if s.at(i) != '<' || !IsInstruction(s.src[start:i]) {
		return i
	}
	return s.templateEnd(i)
}

// templateEnd returns the end of the template arguments that begin at i, or i if they do not end on the line or contain
// anything but names and numbers.
func (s *scanner) templateEnd(i int) int {
	depth := 0
	for j := i; j < len(s.src); j++ {
		switch c := s.src[j]; {
		case c == '<':
			depth++
		case c == '>':
			if depth--; depth == 0 {
				return j + 1
			}
		case c == '_' || c == ':' || c == ',' || c == ' ' || classes[c] == classLetter || classes[c] == classDigit:
		default:
			return i
		}
	}
	return i
}
