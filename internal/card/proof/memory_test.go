package proof

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/gpu"
	"girih/internal/card/command"
)

const measured = "../../../conformance/hardware/h200_memory.jsonl"

// memoryCall runs girih-gpu memory without a card.
func memoryCall(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	none := func(int) (*gpu.Device, error) {
		return nil, &gpu.Error{Code: gpu.NoDriver, Message: "gone", Hint: "install it"}
	}
	code = command.Run(t.Context(), []command.Command{Memory}, &command.Call{
		Args: append([]string{"memory"}, args...), Stdout: &out, Stderr: &errs, Open: none,
	})
	return code, out.String(), errs.String()
}

func TestMemory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const machine = `{"device":"a \u001b[31mcard","chip":"sm_90","driver":"1","date":"2026-11-23"}` + "\n"
	const row = `{"op":"red.add.u32","name":"same","addr":[0,0,null]}` + "\n"
	once := file("once.jsonl", machine+row)
	profile := func(wavefronts string) string {
		return file("ncu"+wavefronts+".csv",
			"\"ID\",\"Kernel Name\",\"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum\"\n\"\",\"\",\"\"\n"+
				"\"0\",\"once_red_add_u32\",\""+wavefronts+"\"\n")
	}
	wrong := file("wrong.jsonl", machine+strings.Replace(row, "}", `,"wavefronts":1}`, 1))
	for _, c := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"--list"}, 0, "cp.async.bulk.shared.global", ""},
		{[]string{"--print", "red.add.u32"}, 0, "red.shared.add.u32 [%r6], %r1;", ""},
		{[]string{"--print", "ld.96"}, 2, "", `no instruction "ld.96"`},
		{[]string{"--op", "ld.96"}, 2, "", `no instruction "ld.96"`},
		{[]string{"--op", "[", "--once"}, 2, "", "syntax error in pattern"},
		{[]string{"--op", "ld.32"}, 1, "", "error: no_driver: gone\nhint: install it"},
		{[]string{"--most", "-1"}, 2, "", "at least 1"},
		{[]string{"fly"}, 2, "", `unknown argument "fly"`},
		{[]string{"--records", measured}, 0, "NVIDIA H200 (sm90), driver 580.159.04, 2026-11-23", ""},
		{[]string{"--records", measured}, 0, " 70        70     0       0\natom.cas.b64 ", ""},
		{[]string{"--records", measured}, 0, "cp.async.cg.16 is unknown, stride0: no counter was read: type: bank: cp.async.cg.16 writes past", ""},
		{[]string{"--records", measured}, 0, "st.cluster.8                  19        16     0       3\n", ""},
		{[]string{"--list"}, 0, "l1tex__m_l1tex2xbar_write_sectors_mem_dshared_op_tma_st.sum,l1tex__data_bank_reads.sum\n", ""},
		{[]string{"--list"}, 0, "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum,l1tex__data_bank_writes.sum\n", ""},
		{[]string{"--print", "cp.async.bulk.cluster.shared"}, 0, "fence.mbarrier_init.release.cluster;", ""},
		{[]string{"--records", filepath.Join(dir, "none")}, 1, "", "no such file"},
		{[]string{"--records", wrong}, 1, "red.add.u32 differs, same: 1 wavefronts, expected 2", "1 accesses differ"},
		{[]string{"--counters", profile("2"), once}, 0, "red.add.u32  1         1      0       0", ""},
		{[]string{"--counters", profile("2"), once, "--json"}, 0, `"addr":[0,0,null],"wavefronts":2}`, ""},
		{[]string{"--counters", profile("3"), once}, 1, "3 wavefronts, expected 2", "1 accesses differ"},
		{[]string{"--counters", once, once}, 1, "", `begins with "ID"`},
		{[]string{"--counters", profile("2")}, 2, "", "two files"},
		{[]string{"--counters", profile("2"), measured}, 1, "", "1 launches of 2290 accesses"},
	} {
		code, stdout, stderr := memoryCall(t, c.args...)
		if code != c.code || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) ||
			strings.Contains(stdout+stderr, "\x1b[") {
			t.Errorf("%q: exit code %d, want %d\n%.2000s\n%s", c.args, code, c.code, stdout, stderr)
		}
	}
}

// TestMemoryOnCard compares what the card of this machine does with what girih says.
func TestMemoryOnCard(t *testing.T) {
	if _, err := gpu.Devices(); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"--once"}, {}} {
		var out, errs bytes.Buffer
		args = append([]string{
			"memory", "--most", "30", "--op", "ld.*", "--op", "st.*", "--op", "ldmatrix.*", "--op", "atom.*.?32",
		}, args...)
		c := &command.Call{Args: args, Stdout: &out, Stderr: &errs, Devices: gpu.Devices, Open: gpu.Open}
		if code := command.Run(t.Context(), []command.Command{Memory}, c); code != 0 {
			t.Errorf("%q: exit code %d\n%s\n%s", args, code, &out, &errs)
		}
	}
}
