package probe_test

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"girih/banks"
	"girih/internal/card/probe"
)

const measured = "../../../conformance/hardware/h200_memory.jsonl"

func readMeasured(t *testing.T) (probe.Machine, []probe.Record) {
	t.Helper()
	f, err := os.Open(measured)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, records, err := probe.ReadRecords(f)
	if err != nil {
		t.Fatal(err)
	}
	return m, records
}

func hopper(t *testing.T) banks.Target {
	t.Helper()
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// TestJudgeH200 compares measurements on an H200 with package banks. It lists the cases that package banks does not
// know, so a rule found later makes the test fail.
func TestJudgeH200(t *testing.T) {
	t.Parallel()
	m, records := readMeasured(t)
	verdicts, err := probe.Judge(hopper(t), records)
	if err != nil {
		t.Fatal(err)
	}
	var unknown []string
	agree := 0
	for i, v := range verdicts {
		r := records[i]
		switch {
		case v.Unknown && !slices.Contains(unknown, r.Op):
			unknown = append(unknown, r.Op)
		case v.Unknown:
		case v.Agree:
			agree++
		default:
			t.Errorf("%s %s: %s", r.Op, r.Name, v.Text)
		}
	}
	want := []string{
		"cp.async.cg.16", "atom.cluster.add.u32", "ld.global.64", "ld.global.128", "st.global.32", "st.global.128",
		"atom.global.add.u32", "red.global.add.u32", "atom.add.f32", "st.cluster.8",
	}
	if !slices.Equal(unknown, want) || agree != 2082 || m.Chip != "sm_90" || m.Date == "" || m.Driver == "" {
		t.Errorf("%d agree, unknown are %v, on %+v", agree, unknown, m)
	}
}

// TestJudgeFails checks that changed measurements are reported as different: counters by one, cycles by 30 %.
func TestJudgeFails(t *testing.T) {
	t.Parallel()
	_, records := readMeasured(t)
	changed := make([]bool, len(records))
	counted, timed := 0, 0
	for i, r := range records {
		for _, x := range []**int{&records[i].Wavefronts, &records[i].Sectors, &records[i].Lines, &records[i].Words} {
			if *x != nil {
				n := **x + 1
				*x = &n
				counted++
				changed[i] = true
			}
		}
		if o, _ := probe.FindOp(r.Op); !changed[i] && r.Cycles > 8 &&
			(o.Space == probe.Shared || strings.HasPrefix(r.Op, "ld.cluster") || strings.HasPrefix(r.Op, "st.cluster")) {
			records[i].Cycles *= 0.7
			changed[i] = true
			timed++
		}
	}
	verdicts, err := probe.Judge(hopper(t), records)
	if err != nil || counted < 1200 || timed < 200 {
		t.Fatal(err, counted, timed)
	}
	for i, v := range verdicts {
		if changed[i] && v.Agree {
			t.Errorf("%s %s agrees, changed", records[i].Op, records[i].Name)
		}
	}
}

func TestRecordsAgain(t *testing.T) {
	t.Parallel()
	m, records := readMeasured(t)
	var b bytes.Buffer
	if err := probe.WriteRecords(&b, m, records); err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(measured)
	if err != nil || !bytes.Equal(b.Bytes(), was) {
		t.Errorf("%d bytes written, %d read: %v", b.Len(), len(was), err)
	}
	for _, r := range records {
		c, err := r.Case()
		if err != nil {
			t.Fatal(err)
		}
		again := probe.NewRecord(c)
		again.Wavefronts, again.Sectors, again.Lines, again.Words, again.Cycles = r.Wavefronts, r.Sectors, r.Lines,
			r.Words, r.Cycles
		if !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v, was %+v", again, r)
		}
	}
	for text, want := range map[string]string{
		"":         "the first line",
		"{}\n{":    "record 1",
		"{}\n[]":   "record 1",
		"nothing ": "the first line",
	} {
		if _, _, err := probe.ReadRecords(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := probe.Judge(hopper(t), []probe.Record{{Op: "fly"}}); err == nil {
		t.Error("fly is judged")
	}
	if _, err := probe.Judge(hopper(t), []probe.Record{{Op: "ld.8", Addr: make([]*int64, 33)}}); err == nil {
		t.Error("33 lanes are judged")
	}
}
