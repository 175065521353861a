-- A vector of a thousand numbers stays in its row, and makes the row so long that its short columns were moved out instead:
-- each comparison read them from another table. Rows that were written before stay so until the table is rewritten.
ALTER TABLE vectors SET (toast_tuple_target = 8160);
