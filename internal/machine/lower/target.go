package lower

import (
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/ptx"
)

// A Target is the directives at the top of a module.
type Target struct {
	Chip    string // .target: "sm_90a"
	Version ptx.Version
}

// Symbol returns the name of an operation as a part of a PTX name: '_' replaces everything that is not a letter or
// digit.
func Symbol(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
}

// Module returns a module for the target with the declarations.
func (t Target) Module(decls ...ptx.Decl) *ptx.Module {
	return &ptx.Module{Version: t.Version, Target: []string{t.Chip}, AddressSize: 64, Decls: decls}
}

// TargetFor returns the target of an operation for a chip, "sm_90", or, if that is "", for the first chip that has it.
// It returns [cute.CodeType] with the reason for a chip that lacks it.
func TargetFor(o atom.Operation, chip string) (Target, error) {
	need, only, ok := parseChip(o.Arch, "sm")
	switch {
	case o.Arch == "all":
		need = 50
	case !ok:
		return Target{}, fail(cute.CodeType, "%s is an instruction of AMD (%s)", o.Name, o.Arch)
	}
	if chip == "" {
		chip = "sm_" + strconv.Itoa(max(need, 75)) // current compilers do not support older targets
	}
	have, _, ok := parseChip(chip, "sm_")
	if !ok {
		return Target{}, fail(cute.CodeName, "expected a chip such as sm_90, found %.40q", chip)
	}
	switch {
	case only && have/10 != need/10, have < need:
		kind := "from " + o.Arch + " on"
		if only {
			kind = "of " + o.Arch + " alone"
		}
		return Target{}, fail(cute.CodeType, "%s lacks %s, an instruction %s", chip, o.Name, kind)
	}
	t := Target{Chip: "sm_" + strconv.Itoa(have), Version: versionOf(o)}
	if only {
		t.Chip += "a"
	}
	for _, c := range chipVersions {
		if have >= c.chip && less(t.Version, c.version) {
			t.Version = c.version
		}
	}
	if only && have == 90 && less(t.Version, ptx.Version{Major: 8}) {
		t.Version = ptx.Version{Major: 8}
	}
	return t, nil
}

// parseChip parses "sm90a": 90, and whether only this chip and its family have the instruction.
func parseChip(s, prefix string) (n int, only, ok bool) {
	s, ok = strings.CutPrefix(s, prefix)
	if !ok {
		return 0, false, false
	}
	s, only = strings.CutSuffix(s, "a")
	n, err := strconv.Atoi(s)
	return n, only, err == nil
}

func less(a, b ptx.Version) bool { return a.Major < b.Major || a.Major == b.Major && a.Minor < b.Minor }

// chipVersions gives the first version of PTX in which a chip is a target (PTX ISA 11.1.2, .target).
var chipVersions = []struct {
	chip    int
	version ptx.Version
}{
	{75, ptx.Version{Major: 6, Minor: 3}},
	{80, ptx.Version{Major: 7}},
	{86, ptx.Version{Major: 7, Minor: 1}},
	{87, ptx.Version{Major: 7, Minor: 4}},
	{89, ptx.Version{Major: 7, Minor: 8}},
	{100, ptx.Version{Major: 8, Minor: 6}},
	{103, ptx.Version{Major: 8, Minor: 8}},
	{120, ptx.Version{Major: 8, Minor: 7}},
	{121, ptx.Version{Major: 8, Minor: 8}},
}

// versions gives the first version of PTX with an opcode, by its parts, the newest first (PTX ISA 9.7, "PTX ISA Notes"
// of each instruction).
var versions = []struct {
	parts   []string
	version ptx.Version
}{
	{[]string{"mma.", ".kind::"}, ptx.Version{Major: 8, Minor: 7}},
	{[]string{"mma.sync", ".m16n8k32.row.col.f16.e"}, ptx.Version{Major: 8, Minor: 7}},
	{[]string{"mma.sync", ".m16n8k16.", ".e4m3"}, ptx.Version{Major: 8, Minor: 7}},
	{[]string{"mma.sync", ".m16n8k16.", ".e5m2"}, ptx.Version{Major: 8, Minor: 7}},
	{[]string{"mma.sp::ordered_metadata"}, ptx.Version{Major: 8, Minor: 5}},
	{[]string{"mma.sp.", ".e4m3"}, ptx.Version{Major: 8, Minor: 4}},
	{[]string{"mma.sp.", ".e5m2"}, ptx.Version{Major: 8, Minor: 4}},
	{[]string{"mma.sp."}, ptx.Version{Major: 7, Minor: 1}},
	{[]string{"ldmatrix", ".b8"}, ptx.Version{Major: 8, Minor: 6}},
	{[]string{"stmatrix", ".b8"}, ptx.Version{Major: 8, Minor: 6}},
	{[]string{"tcgen05"}, ptx.Version{Major: 8, Minor: 6}},
	{[]string{"f32x2"}, ptx.Version{Major: 8, Minor: 6}},
	{[]string{"ld.", ".v8"}, ptx.Version{Major: 8, Minor: 8}},
	{[]string{"st.", ".v8"}, ptx.Version{Major: 8, Minor: 8}},
	{[]string{"mma.sync", ".e4m3"}, ptx.Version{Major: 8, Minor: 4}},
	{[]string{"mma.sync", ".e5m2"}, ptx.Version{Major: 8, Minor: 4}},
	{[]string{"wgmma", ".s8.u8"}, ptx.Version{Major: 8, Minor: 4}},
	{[]string{"wgmma", ".u8.s8"}, ptx.Version{Major: 8, Minor: 4}},
	{[]string{"wgmma", ".sp."}, ptx.Version{Major: 8, Minor: 2}},
	{[]string{"wgmma"}, ptx.Version{Major: 8}},
	{[]string{"stmatrix"}, ptx.Version{Major: 7, Minor: 8}},
	{[]string{"movmatrix"}, ptx.Version{Major: 7, Minor: 8}},
	{[]string{"mma.sync", ".m16n8k", ".f64"}, ptx.Version{Major: 7, Minor: 8}},
	{[]string{"cp.async", "L2::"}, ptx.Version{Major: 7, Minor: 4}},
	{[]string{"mma.sync", ".and.popc"}, ptx.Version{Major: 7, Minor: 1}},
	{[]string{"mma.sync", ".m8n8k4.", ".f16.f16"}, ptx.Version{Major: 6, Minor: 4}},
	{[]string{"mma.sync", ".m16n8k8.", ".f16.f16"}, ptx.Version{Major: 6, Minor: 5}},
	{[]string{"mma.sync", ".m8n8k16."}, ptx.Version{Major: 6, Minor: 5}},
	{[]string{"mma.sync", ".m8n8k32."}, ptx.Version{Major: 6, Minor: 5}},
	{[]string{"mma.sync"}, ptx.Version{Major: 7}},
	{[]string{"ldmatrix"}, ptx.Version{Major: 6, Minor: 5}},
}

// versionOf returns the first version of PTX with the instruction, at least 6.0.
func versionOf(o atom.Operation) ptx.Version {
	opcode, _, _ := strings.Cut(o.Text, " ")
next:
	for _, v := range versions {
		for _, part := range v.parts {
			if !strings.Contains(opcode, part) {
				continue next
			}
		}
		return v.version
	}
	return ptx.Version{Major: 6}
}
