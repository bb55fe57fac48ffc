package eval_test

import (
	"errors"
	"fmt"

	"girih/internal/lang/eval"
)

// For a program of many statements, only the last value is kept.
func ExampleEnv_Run() {
	var env eval.Env
	var last eval.Result
	err := env.Run("let a = (4,2):(1,4); a o 2:2; size(a)", func(r eval.Result) { last = r })
	fmt.Println(last.Value, err)
	// Output: 8 <nil>
}

func ExampleEnv_Keep() {
	var env eval.Env
	held := int64(0)
	env.Keep(func(bytes int64) error {
		if held += bytes; held > 1<<20 {
			return errors.New("the values take more than 1 MiB")
		}
		return nil
	})
	_, err := env.Eval("let a = 4:1; offsets(1048576:1)")
	fmt.Println(err)
	// Output: limit: the values take more than 1 MiB
}
