package conform

// runInstructions is nil: a page would load the instructions as PTX for the sake of this file alone. The command runs
// it.
var runInstructions func(rep *Report, data []byte) error
