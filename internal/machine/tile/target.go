package tile

import (
	"fmt"
	"strings"

	"girih/cute"
)

// A Target is a machine with the shared memory of its CTAs, in bytes. Unknown numbers are 0.
type Target struct {
	Name     string // sm90
	PerBlock int64  // the limit of one CTA, which a kernel requests with cudaFuncAttributeMaxDynamicSharedMemorySize
	PerSM    int64  // the limit of an SM or compute unit, for all its CTAs
	Reserved int64  // what the system reserves on the SM for each CTA
	Unit     int64  // every allocation is rounded up to a multiple of Unit
	Blocks   int64  // the most CTAs of an SM
	Threads  int64  // the most threads of an SM
	Source   string // where the numbers come from
}

const (
	guide = "CUDA Programming Guide, Technical Specifications per Compute Capability; "
	occ   = "cuda_occupancy.h"
	amd   = "AMD Instinct CDNA ISA guide, local data share"
)

// targets lists the machines, NVIDIA's first. A second source confirms NVIDIA's capacities: SMEM_CAPACITY_MAP of the
// CuTe DSL and include/cutlass/arch/arch.h list 166912, 101376 and 232448.
var targets = []Target{
	{"sm75", 64 << 10, 64 << 10, 0, 256, 16, 1024, guide + occ},
	{"sm80", 163 << 10, 164 << 10, 1 << 10, 128, 32, 2048, guide + occ},
	{"sm86", 99 << 10, 100 << 10, 1 << 10, 128, 16, 1536, guide + occ},
	{"sm87", 163 << 10, 164 << 10, 1 << 10, 128, 16, 1536, guide + occ},
	{"sm89", 99 << 10, 100 << 10, 1 << 10, 128, 24, 1536, guide + occ},
	{"sm90", 227 << 10, 228 << 10, 1 << 10, 128, 32, 2048, guide + "sm90_smem_capacity_bytes, " + occ},
	{"sm100", 227 << 10, 228 << 10, 1 << 10, 128, 32, 2048, guide + "sm100_smem_capacity_bytes, " + occ},
	{"sm103", 227 << 10, 228 << 10, 1 << 10, 128, 32, 2048, guide + "sm100_smem_capacity_bytes, " + occ},
	{"sm110", 227 << 10, 228 << 10, 1 << 10, 128, 24, 1536, guide + occ},
	{"sm120", 99 << 10, 100 << 10, 1 << 10, 128, 24, 1536, guide + "sm120_smem_capacity_bytes, " + occ},
	{"sm121", 99 << 10, 100 << 10, 1 << 10, 128, 24, 1536, guide + "sm120_smem_capacity_bytes, " + occ},
	{"gfx90a", 64 << 10, 64 << 10, 0, 512, 0, 2048, amd},
	{"gfx942", 64 << 10, 64 << 10, 0, 512, 0, 2048, amd},
	{"gfx950", 160 << 10, 160 << 10, 0, 1280, 0, 2048, amd},
}

// Targets returns the machines whose shared memory is known, NVIDIA's first.
func Targets() []Target { return append([]Target(nil), targets...) }

// FindTarget returns the machine of a name such as sm90, sm_90a or gfx942. It returns [cute.CodeName] if there is
// none.
func FindTarget(name string) (Target, error) {
	short := strings.ToLower(strings.TrimSpace(name))
	short = strings.TrimRight(strings.Replace(short, "sm_", "sm", 1), "af")
	for _, t := range targets {
		if t.Name == short || t.Name == strings.ToLower(strings.TrimSpace(name)) {
			return t, nil
		}
	}
	err := fail(cute.CodeName, "budget", "no target is called %.40q", name)
	for i, t := range targets {
		if i > 0 {
			err.Hint += ", "
		}
		err.Hint += t.Name
	}
	return Target{}, err
}

// NVIDIA reports whether the machine is NVIDIA's.
func (t Target) NVIDIA() bool { return strings.HasPrefix(t.Name, "sm") }

// Limit returns the most bytes that each CTA can have if the given number of CTAs share an SM: PerBlock for one CTA. It
// returns [cute.CodeLimit] if an SM cannot have that many CTAs, and [cute.CodeExtent] if ctas is not positive.
func (t Target) Limit(ctas int64) (int64, error) {
	switch {
	case ctas < 1:
		return 0, fail(cute.CodeExtent, "budget", "expected at least one CTA on an SM, found %d", ctas)
	case t.Blocks > 0 && ctas > t.Blocks:
		return 0, fail(cute.CodeLimit, "budget", "expected at most %d CTAs on an SM of %s, found %d", t.Blocks, t.Name, ctas)
	case t.Unit < 1:
		return 0, fail(cute.CodeType, "budget", "expected a target, found none")
	}
	each := t.PerSM/ctas/t.Unit*t.Unit - t.Reserved
	if each < 1 {
		return 0, fail(cute.CodeLimit, "budget", "%d CTAs on an SM of %s leave no shared memory to each", ctas, t.Name)
	}
	return min(each, t.PerBlock), nil
}

// CTAs returns how many CTAs of the given size fit on an SM, by shared memory and the limit of CTAs.
func (t Target) CTAs(bytes int64) int64 {
	if t.Unit < 1 || bytes < 0 || bytes > t.PerBlock {
		return 0
	}
	each := (bytes + t.Reserved + t.Unit - 1) / t.Unit * t.Unit
	n := t.Blocks
	if each > 0 && (n == 0 || t.PerSM/each < n) {
		n = t.PerSM / each
	}
	return n
}

// String returns the name and the capacities.
func (t Target) String() string {
	return fmt.Sprintf("%s: %d bytes of a CTA, %d of an SM", t.Name, t.PerBlock, t.PerSM)
}
