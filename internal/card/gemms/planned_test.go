package gemms

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	plans "girih/kernel/gemm"
)

// Without a name, the kernel is planned: it runs in the simulator, and its plan is printed.
func TestGemmPlanned(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"--type f16 -m 130 -n 67 -k 99", "--type bf16 -m 5 -n 300 -k 1000", "--type f16 -m 64 -n 64 -k 2000",
		"--type tf32 -m 70 -n 67 -k 99 -l 2", "--type e4m3 -m 130 -n 67 -k 300", "--type e5m2 --fast -m 9 -n 67 -k 300 -l 3",
		"--type f16 -m 70 -n 67 -k 99 --alpha -2 --beta 0.5 --c f16 -l 2", "--type tf32 -m 33 -n 40 -k 99 --scale rows -l 3",
		"--type e4m3 -m 33 -n 40 -k 99 --scale tensors --c f32", "--type bf16 -m 150 -n 40 -k 72 --groups 3",
		"--type f16 -m 5 -n 90 -k 264 --type-b u4 --scale groups",
		"--type s8 -m 64 -n 130 -k 99 -l 4", "--type u8 -m 5 -n 8 -k 1000", "--type f16 -m 1 -n 99 -k 513 -l 3",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := gemmCall(t, noCard, append(strings.Fields(args), "--json")...)
			var o gemmOutcome
			runs := 2
			if strings.Contains(args, "u4") {
				runs = 1
			}
			if err := json.Unmarshal([]byte(stdout), &o); err != nil || code != 0 || !o.Right || len(o.Runs) != runs ||
				o.Runs[0].Exact != o.Runs[0].Elements || o.Runs[0].Elements == 0 {
				t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
			}
			code, stdout, stderr = gemmCall(t, noCard, append(strings.Fields(args), "--plan", "--json")...)
			var d plans.Description
			if err := json.Unmarshal([]byte(stdout), &d); err != nil || code != 0 || d.Choice.Blocks == 0 {
				t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
			}
		})
	}
	for _, args := range []string{
		"-m 8 -n 8 -k 8", "--type f32 -m 8 -n 8 -k 8", "--type f16 --sum f16 -m 8 -n 8 -k 8", "sgemm_1 --plan -m 8 -n 8 -k 8",
		"--type f16 --print", "sgemm_1 -l 2 -m 8 -n 8 -k 8", "sgemm_1 --alpha 2 -m 8 -n 8 -k 8",
		"--type f16 --alpha 3 -m 8 -n 8 -k 8", "--type s8 --c f32 -m 8 -n 8 -k 8", "--type f16 --beta 2 -m 8 -n 8 -k 8", "--type f16 --scale blocks -m 8 -n 8 -k 8",
		"--type f16 --type-b e4m3 -m 8 -n 8 -k 8", "--type f16 --groups 2 --tune -m 8 -n 8 -k 8",
		"--type f16 -l -1 -m 8 -n 8 -k 8",
	} {
		if code, _, stderr := gemmCall(t, noCard, strings.Fields(args)...); code != 2 {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
}

// An element that another product has otherwise is found.
func TestAgreement(t *testing.T) {
	t.Parallel()
	all := []float64{1, 2, 3, 4, 3, 4, 1, 2} // (2,2), and the same with the rows in other places
	if got := agreement(all, 2, 2); !slices.Equal(got, all[:4]) {
		t.Errorf("the same products are %v", got)
	}
	all[5] = 9
	if got := agreement(all, 2, 2); got[3] != 9 {
		t.Errorf("a wrong element is not there: %v", got)
	}
}
