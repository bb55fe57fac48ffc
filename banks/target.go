package banks

import (
	"fmt"
	"strings"

	"girih/cute"
)

// A Target is a machine whose shared-memory behaviour is known. [ParseTarget] and [Targets] return targets, and two are
// equal if they are the same machine. The zero Target is not a machine.
type Target struct{ m *machine }

// A machine is a row of the table of targets.
type machine struct {
	name  string
	title string
	warp  int // threads
	// rule returns the rule by which the machine serves an access, or the reason why it cannot serve it.
	rule func(m *machine, a Access) (Rule, error)
	// source cites the evidence for the rules of NVIDIA's machines; AMD's rules cite their own.
	source string
	has    nvidia
}

// nvidia records which instructions an NVIDIA machine has (PTX ISA, "Target ISA Notes" of each instruction).
type nvidia struct{ ldmatrix, cpAsync, stmatrix bool }

const (
	onBanks  = "32 banks of 4 bytes: CUDA C++ Programming Guide, compute capabilities"
	onForum  = "phases and merging of 64- and 128-bit loads: NVIDIA developer forum, thread 77228, for compute capability 7.0 to 7.5"
	onHopper = "phases and merging as measured on an H200"
)

var machines = []*machine{
	{"sm70", "NVIDIA Volta", 32, nvidiaRule, onBanks + "; " + onForum + "; stores not measured", nvidia{}},
	{"sm75", "NVIDIA Turing", 32, nvidiaRule, onBanks + "; " + onForum + "; stores and ldmatrix not measured", nvidia{ldmatrix: true}},
	{"sm80", "NVIDIA Ampere", 32, nvidiaRule, onBanks + "; " + onHopper + " and documented for sm75, not measured on sm80", nvidia{ldmatrix: true, cpAsync: true}},
	{"sm86", "NVIDIA Ampere, GA10x", 32, nvidiaRule, onBanks + "; " + onHopper + " and documented for sm75, not measured on sm86", nvidia{ldmatrix: true, cpAsync: true}},
	{"sm89", "NVIDIA Ada", 32, nvidiaRule, onBanks + "; " + onHopper + " and documented for sm75, not measured on sm89", nvidia{ldmatrix: true, cpAsync: true}},
	{"sm90", "NVIDIA Hopper", 32, nvidiaRule, "measured on an H200: 2,824 single-warp accesses, all reproduced", nvidia{true, true, true}},
	{"sm100", "NVIDIA Blackwell", 32, nvidiaRule, onBanks + "; " + onHopper + ", not measured on sm100", nvidia{true, true, true}},
	{"sm103", "NVIDIA Blackwell Ultra", 32, nvidiaRule, onBanks + "; " + onHopper + ", not measured on sm103", nvidia{true, true, true}},
	{"sm120", "NVIDIA Blackwell, RTX 50", 32, nvidiaRule, onBanks + "; " + onHopper + ", not measured on sm120", nvidia{true, true, true}},
	{"gfx942", "AMD CDNA 3", 64, amdRule, "", nvidia{}},
	{"gfx950", "AMD CDNA 4", 64, amdRule, "", nvidia{}},
}

// otherNames are the names of machines besides their own.
var otherNames = map[string]string{
	"volta": "sm70", "v100": "sm70", "turing": "sm75", "t4": "sm75", "ampere": "sm80", "a100": "sm80", "ada": "sm89",
	"l40s":   "sm89",
	"hopper": "sm90", "h100": "sm90", "h200": "sm90", "blackwell": "sm100", "b200": "sm100", "b300": "sm103",
	"cdna3": "gfx942", "mi300x": "gfx942", "mi300": "gfx942", "cdna4": "gfx950", "mi355x": "gfx950", "mi350": "gfx950",
}

// Targets returns the known machines, NVIDIA's first, each vendor's from old to new.
func Targets() []Target {
	ts := make([]Target, len(machines))
	for i, m := range machines {
		ts[i] = Target{m}
	}
	return ts
}

// ParseTarget returns the machine with a name such as "sm90", "sm_90a", "H200", "gfx942" or "MI300X"; upper and lower
// case do not matter. It returns [cute.CodeName] for an unknown name, with a list of the known ones.
func ParseTarget(name string) (Target, error) {
	s := strings.ToLower(strings.TrimSpace(name))
	s = strings.ReplaceAll(s, "_", "")
	if strings.HasPrefix(s, "sm") {
		s = strings.TrimRight(s, "af")
	}
	if full, ok := otherNames[s]; ok {
		s = full
	}
	var known []string
	for _, m := range machines {
		if m.name == s {
			return Target{m}, nil
		}
		known = append(known, m.name)
	}
	hint := "the shared memory of others is not documented well enough to be exact"
	if s == "gfx1250" {
		hint = "gfx1250 has 64 banks, and it is not published which lanes they serve together"
	}
	return Target{}, refuse(cute.CodeName, hint,
		"expected one of the targets %s, found %q", strings.Join(known, ", "), clip(name))
}

// Name returns the name, such as "sm90" or "gfx942".
func (t Target) Name() string {
	if t.m == nil {
		return "none"
	}
	return t.m.name
}

// Title returns the machine in words, such as "NVIDIA Hopper".
func (t Target) Title() string {
	if t.m == nil {
		return "none"
	}
	return t.m.title
}

// WarpSize returns the number of threads that execute an instruction together: 32, or 64 on AMD's machines, which call
// it a wavefront.
func (t Target) WarpSize() int {
	if t.m == nil {
		return 0
	}
	return t.m.warp
}

// String returns the name.
func (t Target) String() string { return t.Name() }

// Rule returns how the machine serves the access. It returns [cute.CodeType] if the machine has no such instruction,
// or if neither documentation nor a measurement says how it is served.
func (t Target) Rule(a Access) (Rule, error) {
	if t.m == nil || a.op == 0 {
		return Rule{}, refuse(cute.CodeType, "use ParseTarget and ParseAccess",
			"expected a target and an access, found %v and %v", t, a)
	}
	if a.op == BulkCopy {
		words, turns, err := BulkBanks(int64(a.bits / 8))
		if err != nil {
			return Rule{}, err
		}
		return Rule{}, refuse(cute.CodeType, "girih global counts its sectors",
			"%v is no instruction of a warp, and takes none of its wavefronts: on an H200 each of its %d words passes through its bank once, without conflicts, %s in one bank",
			a, words, number(turns, "turn"))
	}
	if a.cg {
		return Rule{}, refuse(cute.CodeType, "cp.async.ca.16 is known",
			"%v writes past the part of the machine whose wavefronts are counted, and its time follows no rule that is known: on an H200, "+
				"where each of eight warps has places of its own, a copy of 4 sectors takes 25.4 cycles and one of 32 sectors 7.3",
			a)
	}
	return t.m.rule(t.m, a)
}

// GlobalRule returns the rule by which a [Plan] groups threads for the global-memory side of the access, as counted by
// [Plan.Traffic]. Global memory serves all lanes of a warp at once, atomics at one place one after the other, and a
// bulk copy alone, as a warp of one thread. It returns [cute.CodeType] if the machine has no such instruction, or if
// the instruction is only for shared memory.
func (t Target) GlobalRule(a Access) (Rule, error) {
	if a.op.isMatrix() {
		return Rule{}, refuse(cute.CodeType, "use ld or st, with a vector or a number of bits",
			"%v accesses shared memory only", a)
	}
	if a.atomic != 0 { // includes atomics that are compiled to loops in shared memory
		if t.Name() != "sm90" {
			return Rule{}, refuse(cute.CodeType, "sm90 was measured",
				"how %s serves %v is neither documented nor measured", t.Name(), a)
		}
		const source = "measured on an H200: 120 single-warp accesses, all reproduced; lanes at one place go one by one"
		return Rule{target: t, access: a, source: source, banks: 32, warp: 32}.inOnePhase(), nil
	}
	if a.op == BulkCopy {
		if t.Name() != "sm90" {
			return Rule{}, refuse(cute.CodeType, "sm90 was measured",
				"how %s serves %v is neither documented nor measured", t.Name(), a)
		}
		const source = "measured on an H200: 308 copies, all reproduced; cut at lines of shared memory"
		return Rule{target: t, access: a, source: source, banks: 32, warp: 1}.inOnePhase(), nil
	}
	a.cg = false
	return t.Rule(a)
}

// nvidiaRule returns the rule of a machine with 32 banks and warps of 32 threads. A wavefront moves 128 bytes: 64-bit
// accesses take two phases of 16 lanes; 128-bit accesses and each matrix of ldmatrix and stmatrix take phases of 8.
// Loads merge two phases into one if lanes share addresses in pairs; see [Rule.Count].
func nvidiaRule(m *machine, a Access) (Rule, error) {
	if a.amd {
		return Rule{}, refuse(cute.CodeType, "use ld or st, or a target of AMD",
			"%s has no instruction %v, which is AMD's", m.name, a)
	}
	if first := m.has.firstWith(a); first != "" {
		return Rule{}, refuse(cute.CodeType, "", "%s has no %v: it exists from %s on (PTX ISA)", m.name, a, first)
	}
	r := Rule{target: Target{m}, access: a, source: m.source, banks: 32, warp: 32}.inOnePhase()
	switch {
	case a.op.isMatrix():
		r.phase, r.lanes = 8, 8*a.matrices
	case a.bits > 32:
		r.phase = 32 * 32 / a.bits
		if a.op == Load {
			r.merged = 2 * r.phase
		}
	}
	switch {
	case a.op == CopyAsync:
		r.eachLane = true
		r.source = "cp.async.ca as measured on an H200: 278 single-warp copies, all reproduced; lanes count, not words"
		if m.name != "sm90" {
			r.source = onBanks + "; " + r.source + "; not measured on " + m.name
		}
	case a.atomic != 0 && m.name != "sm90":
		return Rule{}, refuse(cute.CodeType, "sm90 was measured",
			"how %s serves %v is neither documented nor measured", m.name, a)
	case a.atomic != 0:
		return r, r.atomicRule()
	}
	return r, nil
}

// firstWith returns the first target with the instruction if the machine lacks the instruction, and otherwise "".
func (n nvidia) firstWith(a Access) string {
	switch {
	case a.op == LoadMatrix && !n.ldmatrix:
		return "sm75"
	case a.op == CopyAsync && !n.cpAsync:
		return "sm80"
	case (a.op == StoreMatrix || a.bits == 128 && a.atomic != 0) && !n.stmatrix:
		return "sm90"
	}
	return ""
}

const (
	onHalves   = "each half of the wavefront by itself: AMD, GCN OpenCL optimization guide, local memory; 64 lanes of 4 bytes over 32 banks: triton-lang/triton pull request 9662"
	onTriton   = "triton-lang/triton pull request 9662, which divides a wavefront into the lanes that the banks serve in a cycle"
	onCKRead   = "lanes of ds_read_b128: ROCm Composable Kernel documentation, LDS bank conflicts"
	onCKWrite  = "lanes of ds_write_b128: ROCm Composable Kernel documentation, LDS bank conflicts"
	onKittens  = "measured on CDNA 4 by HipKittens (arXiv 2511.08083, analysis of LDS phases)"
	onMeasured = "; also timed on an MI300 by others"
	onTrans    = "; lanes exchange elements after the banks: conflicts that a profiler counted on an MI355X agree with phases of lanes 0-31 and 32-63"
)

// groupsOf8 lists, phase by phase, the lanes of ds_read_b128 on a machine with 32 banks, and with 64 banks, as the
// first lanes of blocks of 4. With 64 banks, two phases become one: 0-3 12-15 20-27, 4-11 16-19 28-31, and the same
// plus 32.
var groupsOf8 = [2][]uint8{
	{0, 20, 4, 16, 8, 28, 12, 24},
	{0, 12, 20, 24, 4, 8, 16, 28},
}

// amdRule returns the rule of CDNA 3, which has 32 banks, and of CDNA 4, which reads through 64 banks and writes
// through 32.
func amdRule(m *machine, a Access) (Rule, error) {
	cdna4 := m.name == "gfx950"
	switch {
	case a.op.isMatrix(), a.op == CopyAsync, a.atomic != 0:
		return Rule{}, refuse(cute.CodeType, "", "%s has no %v, which is NVIDIA's", m.name, a)
	case a.exchange > 0 && !cdna4:
		return Rule{}, refuse(cute.CodeType, "", "%s has no %v: gfx950 has it", m.name, a)
	case cdna4 && a.op == Store && a.bits < 64:
		return Rule{}, refuse(cute.CodeType, "ds_write_b64, ds_write_b128 and all reads are known",
			"how %s serves %v is not documented: it reads through 64 banks, writes 64 bits through 32, and of narrower writes nothing is published",
			m.name, a)
	}
	wide := cdna4 && a.op == Load
	banks := 32
	if wide {
		banks = 64
	}
	r := Rule{target: Target{m}, access: a, banks: banks, warp: 64}.inOnePhase()
	r.phase = banks * 32 / max(a.bits, 32)
	if a.bits == 128 && a.op == Load {
		blocks := groupsOf8[0]
		if wide {
			blocks = groupsOf8[1]
		}
		for i := range r.order {
			half, j := i/32, i%32
			r.order[i] = uint8(32*half) + blocks[j/4] + uint8(j%4)
		}
	}
	r.source = fmt.Sprintf("%d banks of 4 bytes; %s", banks, m.amdSource(a))
	if a.op != Load {
		r.source += "; that equal words are one is documented for reads only"
	}
	return r, nil
}

// amdSource cites the evidence for the lanes of each phase of a read or write.
func (m *machine) amdSource(a Access) string {
	cdna4, load := m.name == "gfx950", a.op == Load
	switch {
	case a.bits == 128 && !load:
		return onCKWrite
	case a.bits == 128 && cdna4:
		return onKittens
	case a.bits == 128:
		return onCKRead + onMeasured
	case a.exchange > 0:
		return onKittens + onTrans
	case a.bits == 64 && cdna4:
		return onKittens + "; " + onTriton
	case a.bits == 64 && load:
		return onTriton + onMeasured
	case a.bits == 64, cdna4 && load:
		return onTriton
	}
	return onHalves
}
