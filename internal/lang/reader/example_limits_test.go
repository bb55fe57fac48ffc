package reader_test

import (
	"errors"
	"fmt"

	"girih/internal/lang/reader"
)

func ExampleLimits() {
	r := reader.ReadWithin("4:1, (2,2):(1,4), 8:2", reader.Limits{Items: 2})
	fmt.Println(r.Err)
	// Output: the text has more than the 2 values that are read at a time: read a part of it
}

func ExampleReadWithin() {
	late := errors.New("it takes too long")
	r := reader.ReadWithin("(4,8):(8,1)", reader.Limits{Stop: func() error { return late }})
	fmt.Println(len(r.Items), r.Err) // the text is too short for a call of the limit
	// Output: 1 <nil>
}
