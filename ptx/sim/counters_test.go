package sim_test

import (
	"bytes"
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"girih/internal/card/probe"
	"girih/ptx"
	"girih/ptx/sim"
)

// A counter pairs a count of Nsight Compute with the simulator's count of the same thing.
type counter struct {
	name string
	ncu  string // names in Nsight Compute, separated by blanks; their sums are added
	sim  func(l sim.LineCount) int64
}

// of returns count restricted to lines with the given opcodes.
func of(count func(l sim.LineCount) int64, opcodes ...string) func(l sim.LineCount) int64 {
	return func(l sim.LineCount) int64 {
		if !slices.Contains(opcodes, l.Op.Name()) {
			return 0
		}
		return count(l)
	}
}

func sectors(l sim.LineCount) int64    { return l.Traffic.Sectors }
func wavefronts(l sim.LineCount) int64 { return l.Traffic.Wavefronts }
func conflicts(l sim.LineCount) int64  { return l.Traffic.Conflicts }
func remote(l sim.LineCount) int64     { return l.Traffic.Remote }

// global counts accesses to global memory.
func global(l sim.LineCount) int64 { return l.Traffic.Accesses * min(1, l.Traffic.Sectors) }

// executed counts how often warps execute accesses to a space, including those whose predicate is false in all lanes.
func executed(space ptx.Space, accesses func(l sim.LineCount) int64) func(l sim.LineCount) int64 {
	return func(l sim.LineCount) int64 {
		if l.Op.Space() == space && l.Op.Name() != "cp" {
			return l.Warps
		}
		return l.Warps * min(1, accesses(l))
	}
}

// plain counts the traffic of threads, without the copy engine.
func plain(count func(l sim.LineCount) int64) func(l sim.LineCount) int64 {
	return func(l sim.LineCount) int64 { return count(l) * (1 - min(1, l.Traffic.Bulk)) }
}

// bulk counts the traffic of the copy engine for instructions that have all of mods, but lack the modifier not.
func bulk(count func(l sim.LineCount) int64, not string, mods ...string) func(l sim.LineCount) int64 {
	return func(l sim.LineCount) int64 {
		for _, m := range mods {
			if !l.Op.Has(m) {
				return 0
			}
		}
		if not != "" && l.Op.Has(not) {
			return 0
		}
		return count(l) * min(1, l.Traffic.Bulk)
	}
}

const (
	unitSectors    = "l1tex__t_sectors_pipe_lsu_mem_"
	unitRequests   = "l1tex__t_requests_pipe_lsu_mem_"
	unitWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
	unitConflicts  = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_"
	unitSent       = "l1tex__m_l1tex2xbar_write_sectors_mem_"
	unitExecuted   = "smsp__inst_executed_op_"
)

// counters are the counters to compare. Nsight Compute counts cp.async among the loads of global memory.
var counters = []counter{
	{"sectors of loads", unitSectors + "global_op_ld", of(plain(sectors), "ld", "ldu", "cp")},
	{"sectors of stores", unitSectors + "global_op_st", of(sectors, "st")},
	{"sectors of atomics", unitSectors + "global_op_atom " + unitSectors + "global_op_red", of(sectors, "atom", "red")},
	{"requests of loads", unitRequests + "global_op_ld", of(plain(global), "ld", "ldu", "cp")},
	{"requests of stores", unitRequests + "global_op_st", of(global, "st")},
	{"requests of atomics", unitRequests + "global_op_atom " + unitRequests + "global_op_red", of(global, "atom", "red")},
	{"wavefronts of loads", unitWavefronts + "ld", of(wavefronts, "ld", "ldmatrix")},
	{"wavefronts of stores", unitWavefronts + "st", of(wavefronts, "st", "stmatrix")},
	{"wavefronts of atomics", unitWavefronts + "atom", of(wavefronts, "atom", "red")},
	{"conflicts of loads", unitConflicts + "ld", of(conflicts, "ld", "ldmatrix")},
	{"conflicts of stores", unitConflicts + "st", of(conflicts, "st", "stmatrix")},
	{"conflicts of atomics", unitConflicts + "atom", of(conflicts, "atom", "red")},
	{"global loads", unitExecuted + "global_ld", of(executed(ptx.Global, global), "ld", "ldu")},
	{"global stores", unitExecuted + "global_st", of(executed(ptx.Global, global), "st")},
	{"shared loads", unitExecuted + "shared_ld", of(executed(ptx.Shared, wavefronts), "ld")},
	{"shared stores", unitExecuted + "shared_st", of(executed(ptx.Shared, wavefronts), "st")},
	{"shared atomics", unitExecuted + "shared_atom", of(executed(ptx.Shared, wavefronts), "atom", "red")},
	{"ldmatrix", unitExecuted + "ldsm", of(executed(ptx.Shared, wavefronts), "ldmatrix")},
	{"remote sectors of loads", unitSectors + "dshared_op_ld", of(remote, "ld")},
	{"remote sectors of stores", unitSectors + "dshared_op_st", of(remote, "st")},
	{"remote sectors of bulk copies", unitSent + "dshared_op_tma_st", bulk(remote, "global")},
	{boxes, "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld", bulk(sectors, "", "shared::cluster", "global")},
	{"sectors of bulk stores", unitSent + "global_op_tma_st", bulk(sectors, "reduce", "global", "bulk_group")},
	{"sectors of bulk reductions", unitSent + "global_op_tma_red", bulk(sectors, "", "global", "reduce")},
}

// boxes names the counter of sectors for which the simulator reports tensor copies as unknown.
const boxes = "sectors of bulk loads"

// A reason explains why a counter differs: the SASS has other accesses than the PTX. sass is a pattern that matches
// cuobjdump's output for the kernel, which is in the archive; in sass, OPCODE is the counted opcode.
type reason struct{ text, sass string }

var (
	predicated = reason{
		"where PTX branches around it, the SASS has it under a predicate, and warps without a lane for it execute it",
		`@!?U?P\d OPCODE\b`,
	}
	unrolled = reason{"the loop is unrolled, each round under a predicate, which all warps execute", `@!?U?P\d OPCODE\b`}
	leaves   = reason{"warps without a lane for the last one leave before it", `@!?P\d EXIT\n\w+ OPCODE\b`}
	wider    = reason{"the SASS has loads and stores of more bytes", `(LDS|STS)\S*\.(64|128)`}
	padding  = reason{
		"three LDS RZ that never load stand before each LDGSTS, and are counted",
		`@!PT LDS RZ, \[RZ\]\n\w+ (@\S+ )?LDGSTS`,
	}
	spins      = reason{"as often as a loop waits, which is another time on the card", `LDG\.E\.STRONG`}
	syncs      = reason{"SYNCS, which is what mbarrier instructions are, took wavefronts that are counted as stores", `SYNCS`}
	together   = reason{"lanes that add 1 to one word are added up first", `ATOMS\.POPC\.INC`}
	once       = reason{"there is one load for the two of one address", `LDG\.E`}
	generic    = reason{"stores to generic addresses, as st.shared::cluster, count as none of shared memory", `\bST\.E`}
	anywhere   = reason{"atomics on the blocks of the cluster: what arrives is counted, and no model has it", `\bATOM\.E\.ADD`}
	zeros      = reason{"cp.async of 0 bytes in all lanes is no request", `LDGSTS`}
	aggregated = reason{"one atomic for most of a warp behind a REDUX, and a loop of compare-and-swap that spins", `(?s)REDUX.*(ATOMG|REDG|RED)`}
)

// opcodes maps a counter to the opcode that it counts.
var opcodes = map[string]string{
	"global loads": "LDG", "global stores": "STG", "shared loads": "LDS", "shared stores": "STS",
}

// guarded lists the counters that differ for matrix products whose tiles extend beyond the matrix.
var guarded = map[string]reason{"global loads": predicated, "global stores": predicated}

// differ lists, by kernel, the counters that differ, with the reason.
var differ = map[string]map[string]reason{
	"argmax_rows":      {"wavefronts of loads": wider, "shared loads": wider},
	"bar_mbarrier":     {"wavefronts of stores": syncs, "conflicts of stores": syncs},
	"bulk_ring":        {"wavefronts of stores": syncs, "conflicts of stores": syncs},
	"cl_hist":          {"wavefronts of atomics": anywhere, "conflicts of atomics": anywhere, "shared atomics": anywhere, "shared stores": predicated},
	"cl_remote_arrive": {"shared stores": generic},
	"cpa_2stage":       {"requests of loads": zeros, "shared loads": padding},
	"cpa_3stage":       {"requests of loads": zeros, "shared loads": padding},
	"cpa_4stage":       {"requests of loads": zeros, "shared loads": padding},
	"cpa_mbarrier":     {"shared loads": padding},
	"hist_shared":      {"wavefronts of atomics": together, "conflicts of atomics": together},
	"misc_stencil":     {"global loads": predicated},
	"mma_bf16":         guarded,
	"mma_e4m3":         guarded,
	"mma_f16":          guarded,
	"mma_s8":           guarded,
	"mma_tf32":         guarded,
	"mma_u8s8":         guarded,
	"red_atomics":      {"sectors of atomics": aggregated, "requests of atomics": aggregated},
	"red_grid_barrier": {"sectors of loads": spins, "requests of loads": spins, "global loads": spins},
	"red_last_block":   {"shared loads": predicated},
	"red_shared_max":   {"global loads": predicated, "shared stores": predicated},
	"red_shfl_f32":     {"shared loads": predicated},
	"scan_blelloch": {
		"wavefronts of loads": wider, "conflicts of loads": wider, "shared loads": unrolled,
		"wavefronts of stores": wider, "conflicts of stores": wider, "shared stores": unrolled,
	},
	"scan_block":     {"global loads": predicated, "global stores": predicated, "shared loads": predicated},
	"softmax_rows":   {"wavefronts of loads": wider, "shared loads": wider},
	"tr_padded":      {"global loads": predicated, "global stores": predicated, "shared loads": predicated, "shared stores": predicated},
	"tr_xor":         {"global loads": predicated, "shared stores": predicated},
	"triton_matmul":  {"global stores": leaves},
	"triton_softmax": {"global stores": leaves},
	"triton_scan":    {"global stores": leaves, "shared loads": wider},
	"wg_pipeline":    {"global stores": predicated},
	"wg_rs_f16":      {"global stores": predicated},
	"wg_ss_bf16":     {"global stores": predicated},
	"wg_ss_e4m3":     {"global stores": predicated},
	"wg_ss_f16":      {"global stores": predicated},
	"wg_ss_s8":       {"global stores": predicated},
	"wg_ss_tf32":     {"global stores": predicated},
	"wg_warpspec":    {"wavefronts of stores": wider, "conflicts of stores": wider, "shared stores": wider},
	"warp_match":     {"sectors of loads": once, "requests of loads": once, "global loads": once},
}

// TestCounters checks that the simulator counts what Nsight Compute counted on a card, except where the SASS has
// other accesses than the PTX.
func TestCounters(t *testing.T) {
	t.Parallel()
	files := readArchive(t, "testdata/counters.tar.gz")
	compared, kernels := 0, 0
	for _, c := range corpus(t) {
		if c.broken() {
			continue
		}
		table, launch := countersOf(t, files, c)
		_, res, err := c.run(t, 0)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		kernels++
		seen := map[string]bool{}
		for _, x := range counters {
			if x.name == boxes && slices.ContainsFunc(res.Lines, func(l sim.LineCount) bool {
				return l.Traffic.Bulk > 0 && l.Traffic.Unknown > 0
			}) {
				continue
			}
			got, want := int64(0), int64(0)
			for _, l := range res.Lines {
				got += x.sim(l)
			}
			for name := range strings.FieldsSeq(x.ncu) {
				v, ok := table.Value(launch, name+".sum")
				if !ok {
					t.Fatalf("%s: ncu has no %s", c.name, name)
				}
				want += int64(v)
			}
			why := differ[c.name][x.name]
			switch {
			case got != want && why.text == "":
				t.Errorf("%s: %s: %d, and ncu has %d", c.name, x.name, got, want)
			case got == want && why.text != "":
				t.Errorf("%s: %s: %d, the same, and said to differ: %s", c.name, x.name, got, why.text)
			case got != want:
				pattern := strings.ReplaceAll(why.sass, "OPCODE", cmp.Or(opcodes[x.name], "LDG"))
				if !regexp.MustCompile(pattern).Match(files[c.name+".sass"]) {
					t.Errorf("%s: %s: the SASS has no %s: %s", c.name, x.name, pattern, why.text)
				}
			case got == want && got > 0:
				compared++
			}
			seen[x.name] = true
		}
		for _, name := range slices.Sorted(maps.Keys(differ[c.name])) {
			if !seen[name] {
				t.Errorf("%s: there is no counter %q", c.name, name)
			}
		}
	}
	t.Logf("%d counters of %d kernels that are not 0 are the same", compared, kernels)
}

// countersOf returns the output of ncu for a kernel. Triton's kernels share one table.
func countersOf(t *testing.T, files archive, c corpusCase) (*probe.Table, probe.Launch) {
	t.Helper()
	name := c.name
	if strings.HasPrefix(name, "triton_") {
		name = "triton"
	}
	table, err := probe.ReadCounters(bytes.NewReader(files[name+".ncu.csv"]))
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	for _, l := range table.Launches {
		if l.Kernel == c.file.Entry {
			return table, l
		}
	}
	t.Fatalf("%s: ncu has no kernel %s", c.name, c.file.Entry)
	return nil, probe.Launch{}
}
