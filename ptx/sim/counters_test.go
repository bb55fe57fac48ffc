package sim_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"girih/internal/probe"
	"girih/ptx/sim"
)

// A counter is one that Nsight Compute has, with what the simulator counts in its place.
type counter struct {
	name string
	ncu  string // its sum; with blanks between those that are added up
	sim  func(l sim.LineCount) int64
}

// of returns a count of lines with some opcodes.
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

// global counts accesses of global memory, shared those of shared memory, executed those under a false predicate too.
func global(l sim.LineCount) int64 { return l.Traffic.Accesses * min(1, l.Traffic.Sectors) }

func executed(space func(l sim.LineCount) int64) func(l sim.LineCount) int64 {
	return func(l sim.LineCount) int64 { return l.Warps * min(1, space(l)) }
}

// plain counts what threads move, and not the copy engine.
func plain(count func(l sim.LineCount) int64) func(l sim.LineCount) int64 {
	return func(l sim.LineCount) int64 { return count(l) * (1 - min(1, l.Traffic.Bulk)) }
}

// bulk counts what the copy engine moves by instructions with some modifiers and without another one.
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

// counters are compared. What Nsight Compute has for loads of global memory includes cp.async.
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
	{"global loads", unitExecuted + "global_ld", of(executed(global), "ld", "ldu")},
	{"global stores", unitExecuted + "global_st", of(executed(global), "st")},
	{"shared loads", unitExecuted + "shared_ld", of(executed(wavefronts), "ld")},
	{"shared stores", unitExecuted + "shared_st", of(executed(wavefronts), "st")},
	{"shared atomics", unitExecuted + "shared_atom", of(executed(wavefronts), "atom", "red")},
	{"ldmatrix", unitExecuted + "ldsm", of(executed(wavefronts), "ldmatrix")},
	{"remote sectors of loads", unitSectors + "dshared_op_ld", of(remote, "ld")},
	{"remote sectors of stores", unitSectors + "dshared_op_st", of(remote, "st")},
	{"remote sectors of bulk copies", unitSent + "dshared_op_tma_st", bulk(remote, "global")},
	{boxes, "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld", bulk(sectors, "", "shared::cluster", "global")},
	{"sectors of bulk stores", unitSent + "global_op_tma_st", bulk(sectors, "reduce", "global", "bulk_group")},
	{"sectors of bulk reductions", unitSent + "global_op_tma_red", bulk(sectors, "", "global", "reduce")},
}

// boxes are sectors of which the simulator does not know those of tensor copies, and says so.
const boxes = "sectors of bulk loads"

// Why a counter differs where the SASS does not keep the accesses of the PTX: what cuobjdump shows of it, by the ptxas
// of CUDA 13.0 (V13.0.88).
const (
	predicated = "where PTX branches around it, the SASS has it under a predicate, and warps without a lane for it execute it"
	branches   = "where PTX has it under a predicate, the SASS branches around it"
	unrolled   = "the loop is unrolled, each round under a predicate: " + predicated
	wider      = "the SASS has loads and stores of more bytes: LDS.64, LDS.128, STS.64, STS.128"
	spins      = "as often as a loop waits, which is another time on the card"
	syncs      = "SYNCS, which is what mbarrier instructions are, took wavefronts that are counted as stores"
	together   = "ATOMS.POPC.INC: lanes that add 1 to one word are added up first"
	once       = "the SASS has one LDG.E for the two loads of one address"
	generic    = "ST.E to generic addresses, which is what st.shared::cluster is, counts as none of shared memory"
	anywhere   = "ATOM.E.ADD to the blocks of the cluster: what arrives is counted, and no model has it"
	zeros      = "cp.async of 0 bytes in all lanes is no request"
	aggregated = "REDUX and one REDG for most atomics of a warp, and a loop of ATOMG.CAS that spins"
)

// guarded are those of the matrix products, whose tiles end in the middle of a matrix.
var guarded = map[string]string{"global loads": predicated, "global stores": predicated}

// differ are the counters that are not the same, with the reason.
var differ = map[string]map[string]string{
	"argmax_rows":      {"wavefronts of loads": wider, "shared loads": wider},
	"bar_mbarrier":     {"wavefronts of stores": syncs, "conflicts of stores": syncs},
	"bulk_ring":        {"wavefronts of stores": syncs, "conflicts of stores": syncs},
	"cl_hist":          {"wavefronts of atomics": anywhere, "conflicts of atomics": anywhere, "shared atomics": anywhere, "shared stores": predicated},
	"cl_remote_arrive": {"shared stores": generic},
	"cpa_2stage":       {"requests of loads": zeros, "shared loads": unrolled},
	"cpa_3stage":       {"requests of loads": zeros, "shared loads": unrolled},
	"cpa_4stage":       {"requests of loads": zeros, "shared loads": unrolled},
	"cpa_mbarrier":     {"shared loads": unrolled},
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
	"triton_matmul":  {"global stores": branches},
	"triton_scan":    {"global stores": branches, "shared loads": branches},
	"triton_softmax": {"global loads": predicated},
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

// TestCounters: what the simulator counts is what Nsight Compute counted on a card, but where the SASS has other
// accesses than the PTX.
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
			case got != want && why == "":
				t.Errorf("%s: %s: %d, and ncu has %d", c.name, x.name, got, want)
			case got == want && why != "":
				t.Errorf("%s: %s: %d, the same, and said to differ: %s", c.name, x.name, got, why)
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

// countersOf returns what ncu wrote of a kernel. Triton's are all in one table.
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
