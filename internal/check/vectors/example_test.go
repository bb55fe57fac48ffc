package vectors_test

import (
	"errors"
	"fmt"
	"strings"

	"girih/internal/check/vectors"
)

func ExampleRun() {
	r, err := vectors.Run("vectors.tsv", strings.NewReader("op\tA\tB\tresult\n"+
		"logical_divide\t_6:_1\t_2:_3\t(_2,_3):(_3,_1)\n"+
		"complement\t(_4,_2):(_1,_10)\t_14\t_2:_4\n"+
		"complement\t_4:_2\t_16\t(_2,_2):(_1,_8)\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Format, r.NumPassed(), r.NumDocumented(), r.NumFailed())
	for _, d := range r.Differences {
		fmt.Println(d.Example)
	}
	// Output:
	// cpp_unit 2 1 0
	// vectors.tsv:3: complement((_4,_2):(_1,_10), _14): girih refuses (not_complementable), CuTe 2:4
}

func ExampleRun_unknown() {
	_, err := vectors.Run("notes.txt", strings.NewReader("hello"))
	fmt.Println(errors.Is(err, vectors.ErrUnknownFormat))
	// Output: true
}
