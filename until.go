package girih

import "girih/internal/ints"

// This file ends operations before they have looked at every value: [EnumLimit] of them may take a second.

// Until returns c with a function that operations on it ask whether they may go on: those that look at every value ask once in some
// thousand, and return its error, as long as it has one. nil means that they always may. Results of operations have the function
// too. [Layout.Composed] makes a layout one whose operations can be ended.
func (c Composed) Until(stop func() error) Composed {
	c.stop = stop
	return c
}

// Stopped asks the function of [Composed.Until], for those who look at every value of c themselves: it returns the error of that
// function, of whatever type, and no code of its own.
func (c Composed) Stopped() error { return c.stop.ask() }

// An until is asked whether work may go on; nil means that it may.
type until func() error

func (u until) ask() error {
	if u == nil {
		return nil
	}
	return u()
}

// at asks at some of the steps i = 0, 1, 2, ...
func (u until) at(i int64) error {
	if u == nil || i%ints.Every != 0 {
		return nil
	}
	return u()
}
