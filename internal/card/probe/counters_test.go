package probe_test

import (
	"strings"
	"testing"

	"girih/internal/card/probe"
)

// profile is what ncu --csv --page raw writes, shortened.
const profile = `==WARNING== Note: Running with unmodified GPU clocks. If not controlled otherwise, profiling results may be inconsistent.
==PROF== Connected to process 2370 (/tmp/girih-gpu)
"ID","Process ID","Kernel Name","device__attribute_display_name","l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.max","l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"
"","","","","",""
"0","2370","once_atom_add_u32","NVIDIA H200","32","1,032"
"1","2370","once_atom_add_u32(unsigned int)","NVIDIA H200","1","1"
`

func records(t *testing.T, name string, n int) []probe.Record {
	t.Helper()
	o, ok := probe.FindOp(name)
	if !ok {
		t.Fatal(name)
	}
	var out []probe.Record
	for _, c := range probe.Cases(o)[:n] {
		out = append(out, probe.NewRecord(c))
	}
	return out
}

func TestReadCounters(t *testing.T) {
	t.Parallel()
	table, err := probe.ReadCounters(strings.NewReader(profile))
	if err != nil || len(table.Metrics) != 2 || len(table.Launches) != 2 {
		t.Fatalf("%+v, %v", table, err)
	}
	rs := records(t, "atom.add.u32", 2)
	if err := probe.Join(rs, table); err != nil || *rs[0].Wavefronts != 1032 || *rs[1].Wavefronts != 1 ||
		rs[0].Sectors != nil {
		t.Errorf("%+v, %v", rs, err)
	}
	for what, bad := range map[string]error{
		"3 records":        probe.Join(records(t, "atom.add.u32", 3), table),
		"another kernel":   probe.Join(records(t, "atom.add.u64", 2), table),
		"without counters": probe.Join(rs, &probe.Table{Launches: table.Launches}),
	} {
		if bad == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func TestReadCountersRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", `begins with "ID"`},
		{"==PROF== nothing\n", `begins with "ID"`},
		{"\"ID\",\"l1tex__x.sum\"\n", "no column Kernel Name"},
		{strings.Replace(profile, `"1,032"`, `"many"`, 1), `line 5: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum is "many"`},
		{strings.Replace(profile, `,"32","1,032"`, "", 1), "line 5 has 4 columns"},
	} {
		if _, err := probe.ReadCounters(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestCounters checks the counters' names against Nsight Compute's list: ncu --query-metrics --chip gh100.
func TestCounters(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"ld.8":                        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
		"stmatrix.x4":                 "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
		"red.add.u32":                 "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
		"cp.async.ca.4":               "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
		"cp.async.bulk.shared.global": "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum",
		"cp.async.bulk.global.shared": "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum",
		"st.cluster.8":                "l1tex__t_sectors_pipe_lsu_mem_dshared_op_st.sum",
		"red.cluster.add.u32":         "l1tex__t_sectors_pipe_lsu_mem_dshared_op_atom.sum",
		"ld.global.nc.64":             "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
		"red.global.add.u32":          "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
		"cp.async.global.ca.4":        "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum",
	} {
		o, _ := probe.FindOp(name)
		if got := strings.Join(o.Counters(), " "); !strings.Contains(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
