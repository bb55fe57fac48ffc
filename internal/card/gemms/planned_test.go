package gemms

import (
	"encoding/json"
	"strings"
	"testing"

	plans "girih/kernel/gemm"
)

// Without a name, the kernel is planned: it runs in the simulator, and its plan is printed.
func TestGemmPlanned(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"--type f16 -m 130 -n 67 -k 99", "--type bf16 -m 5 -n 300 -k 1000", "--type f16 -m 64 -n 64 -k 2000",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := gemmCall(t, noCard, append(strings.Fields(args), "--json")...)
			var o gemmOutcome
			if err := json.Unmarshal([]byte(stdout), &o); err != nil || code != 0 || !o.Right || len(o.Runs) != 2 ||
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
		"--type f16 --print",
	} {
		if code, _, stderr := gemmCall(t, noCard, strings.Fields(args)...); code != 2 {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
}
