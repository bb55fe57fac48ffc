package runfile_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"girih/internal/probe"
	"girih/internal/runfile"
	"girih/ptx"
	"girih/ptx/sim"
)

func TestCounters(t *testing.T) {
	dir := "/work/wt/corpus/"
	names, _ := filepath.Glob(dir + "*.json")
	sort.Strings(names)
	tri, _ := os.Open("/work/wt/counters/triton.ncu.csv")
	tt, err := probe.ReadCounters(tri)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		base := strings.TrimSuffix(filepath.Base(n), ".json")
		text, _ := os.ReadFile(n)
		f, _ := runfile.Parse(text)
		if len(f.Findings) > 0 {
			continue
		}
		in, _ := f.Load(func(name string) ([]byte, error) { return os.ReadFile(dir + name) })
		src, _ := os.ReadFile(dir + f.PTX)
		m, _ := ptx.Parse(string(src))
		p, _ := sim.Load(m)
		r, err := in.New(p)
		if err != nil {
			t.Fatal(err)
		}
		res, err := p.Run(context.Background(), r.Memory, r.Launch)
		if err != nil {
			continue
		}
		var tab *probe.Table
		var l probe.Launch
		if strings.HasPrefix(base, "triton_") {
			tab = tt
			for _, x := range tt.Launches {
				if x.Kernel == f.Entry {
					l = x
				}
			}
		} else {
			fc, err := os.Open("/work/wt/counters/" + base + ".ncu.csv")
			if err != nil {
				fmt.Println("no counters", base)
				continue
			}
			tab, err = probe.ReadCounters(fc)
			if err != nil {
				t.Fatal(base, err)
			}
			l = tab.Launches[0]
		}
		v := func(name string) int64 {
			x, ok := tab.Value(l, name+".sum")
			if !ok {
				t.Fatal(base, name)
			}
			return int64(x)
		}
		got := map[string]int64{}
		for _, lc := range res.Lines {
			k := lc.Op.Name()
			tr := lc.Traffic
			if tr.Accesses == 0 {
				continue
			}
			if lc.Warps != tr.Accesses { got["off"] += lc.Warps - tr.Accesses }
			sp := "g"
			if tr.Wavefronts > 0 {
				sp = "s"
			} else if tr.Sectors == 0 {
				sp = "?"
			}
			got["n."+sp+k] += lc.Warps; got["r."+sp+k] += tr.Accesses
			got["sec."+k] += tr.Sectors
			got["wf."+k] += tr.Wavefronts
			got["cf."+k] += tr.Conflicts
			got["rem."+k] += tr.Remote
			got["unk"] += tr.Unknown
		}
		const g, sh = "l1tex__t_sectors_pipe_lsu_mem_global_op_", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
		row := []struct {
			what      string
			sim, want int64
		}{
			{"sec.ld", got["sec.ld"] + got["sec.cp"], v(g + "ld")},
			{"sec.st", got["sec.st"], v(g + "st")},
			{"sec.atom+red", got["sec.atom"] + got["sec.red"], v(g+"atom") + v(g+"red")},
			{"wf.ld", got["wf.ld"] + got["wf.ldmatrix"], v(sh + "ld")},
			{"wf.st", got["wf.st"] + got["wf.stmatrix"], v(sh + "st")},
			{"wf.atom", got["wf.atom"] + got["wf.red"], v(sh + "atom")},
			{"wf.cp", got["wf.cp"], v("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts")},
			{"sec.cp", got["sec.cp"], v(g+"ldgsts_cache_access") + v("smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass")},
			{"n.gld", got["n.gld"], v("smsp__inst_executed_op_global_ld")},
			{"r.gld", got["r.gld"] + got["r.scp"] + got["r.gcp"], v("l1tex__t_requests_pipe_lsu_mem_global_op_ld")},
			{"n.gst", got["n.gst"], v("smsp__inst_executed_op_global_st")},
			{"r.gst", got["r.gst"], v("l1tex__t_requests_pipe_lsu_mem_global_op_st")},
			{"n.sld", got["n.sld"], v("smsp__inst_executed_op_shared_ld")},
			{"n.ldsm", got["n.sldmatrix"], v("smsp__inst_executed_op_ldsm")},
			{"n.sst", got["n.sst"] + got["n.sstmatrix"], v("smsp__inst_executed_op_shared_st")},
			{"n.satom", got["n.satom"] + got["n.sred"], v("smsp__inst_executed_op_shared_atom")},
			{"n.ldgsts", got["n.scp"] + got["n.gcp"], v("smsp__inst_executed_op_ldgsts")},
			{"rem.ld", got["rem.ld"], v("l1tex__t_sectors_pipe_lsu_mem_dshared_op_ld")},
			{"rem.st", got["rem.st"], v("l1tex__t_sectors_pipe_lsu_mem_dshared_op_st")},
			{"cf.ld", got["cf.ld"], v("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld")},
			{"cf.st", got["cf.st"], v("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st")},
		}
		bad := ""
		good := 0
		for _, x := range row {
			if x.sim != x.want {
				bad += fmt.Sprintf(" %s %d/%d", x.what, x.sim, x.want)
			} else if x.sim != 0 {
				good++
			}
		}
		fmt.Println(base, "ok", good, "inst", res.Instructions, v("smsp__inst_executed"), "unk", got["unk"], bad)
	}
}
