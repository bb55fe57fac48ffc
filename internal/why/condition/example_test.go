package condition_test

import (
	"fmt"

	"girih/internal/why/condition"
)

func ExampleJudge() {
	v, _ := condition.Judge(condition.Text{Says: "N must be a multiple of 128, got 300"})
	for _, c := range v.Fails {
		fmt.Println(c.Name, "=", c.Value, "fails:", c.Why)
		fmt.Println("nearest:", c.Nearest.Below, "and", c.Nearest.Above)
	}
	// Output:
	// N = 300 fails: 300 mod 128 = 44
	// nearest: 256 and 384
}

// The line of an assertion contains the condition, and the traceback contains the values.
func ExampleText() {
	v, _ := condition.Judge(condition.Text{
		Says:   "AssertionError",
		Code:   []string{"assert n % 64 == 0 and k % 128 == 0"},
		Values: condition.Collect("gemm(x, y, n=7168, k=576)"),
	})
	fmt.Println(v.Demand)
	fmt.Println(v.Fails[0].Why)
	// Output:
	// n is a multiple of 64 and k is a multiple of 128
	// k = 576: 576 mod 128 = 64
}

func ExampleVerdict() {
	v, _ := condition.Judge(condition.Text{Says: "hidden_size must be divisible by group_size"})
	fmt.Println(v.Demand)
	fmt.Println("not said:", v.Missing)
	// Output:
	// hidden_size is a multiple of group_size
	// not said: [group_size hidden_size]
}

func ExampleCollect() {
	for _, o := range condition.Collect("BLOCK_M = 128, block_k (64)\nx.shape: torch.Size([4, 100])\nTile = (?,32)") {
		if o.Tuple && o.Values[0] == condition.Unknown {
			fmt.Println(o.Name, "? and", o.Values[1])
			continue
		}
		fmt.Println(o.Name, o.Values)
	}
	// Output:
	// BLOCK_M [128]
	// block_k [64]
	// x.shape [4 100]
	// Tile ? and 32
}
