// What is seen, or exported as STL:
// "all", "frame" (whole), "piece" (one of the frame's), "collar" (of one LED), "foot", "elbow", "head"
part = "all";
piece = 0;               // which piece of the frame: 0, 1, 2 ...
camera = 0;              // which of the cameras above
lean = false;            // leaning in from the first seat's side, or straight above
bed = 220;               // how far a printer reaches

slack = 1;               // air round the sheet
wall = 8;                // of the frame
ledge = 6;               // what the acrylic rests on
base = 4;                // thickness of the base plate
collar = 25;             // height of the collars
acrylic = 3;             // with the paper on it
lap = 12;                // by how much two pieces of the frame cover each other
pole = 20;               // diameter of the rods for pole and arm
skin = 1.2;              // of a collar
bolt = 4;                // diameter of screws
foot = 60;               // the foot's sides
hang = 35;               // from the arm's axis to the lens
clear = 40;              // from the frame to the pole's axis
$fn = 48;

outer = sheet + 2 * (slack + wall) * [1, 1];
opening = sheet - 2 * ledge * [1, 1];
height = base + collar + acrylic + 1;
seen = cameras[camera];
lens_height = lean ? seen[3] : seen[1];
beside = lean ? seen[4] : 0;
tilt = lean ? leaning : 0;
far = max(outer[1] / 2, beside) + clear;      // also where the camera stands beside the board
pole_length = height + lens_height + hang;
arm_length = far - beside + pole;
step = [for (length = outer) length / ceil(length / (bed - lap))];
tiles = [for (axis = [0, 1]) round(outer[axis] / step[axis])];
pieces = [for (j = [0 : tiles[1] - 1], i = [0 : tiles[0] - 1])
    if (i == 0 || j == 0 || i == tiles[0] - 1 || j == tiles[1] - 1) [i, j]];

echo(of = game, camera = seen[0], lens_over_the_board = lens_height);
echo(pole_of_rod = pole_length, arm_of_rod = arm_length);
echo(acrylic_sheet = sheet, base_plate = opening - 2 * [1, 1], frame_outside = outer);
echo(pieces_of_the_frame = len(pieces), collars = len(leds));

module frame() {
    difference() {
        translate([-outer[0] / 2, -outer[1] / 2, 0]) cube([outer[0], outer[1], height]);
        translate([-opening[0] / 2, -opening[1] / 2, -1]) cube([opening[0], opening[1], height + 2]);
        translate([-sheet[0] / 2 - slack, -sheet[1] / 2 - slack, base + collar])
            cube([sheet[0] + 2 * slack, sheet[1] + 2 * slack, height]);
        // Cables: at the far side, and at the near one where strips are fed at both ends.
        translate([0, 0, base + 6]) rotate([90, 0, 0]) cylinder(d = 8, h = outer[1] + 2, center = true);
    }
}

// Below, a piece begins and ends half a lap earlier than above: so neighbours lie on each other.
function start_of(k, axis, up) =
    -outer[axis] / 2 + k * step[axis] + (k == 0 ? 0 : (up ? 1 : -1) * lap / 2);
function end_of(k, axis, up) =
    k == tiles[axis] - 1 ? outer[axis] / 2 : start_of(k + 1, axis, up);

module frame_piece(at) {
    intersection() {
        frame();
        for (up = [false, true])
            translate([start_of(at[0], 0, up), start_of(at[1], 1, up), up ? height / 2 : 0])
                cube([end_of(at[0], 0, up) - start_of(at[0], 0, up),
                      end_of(at[1], 1, up) - start_of(at[1], 1, up), height / 2]);
    }
}

module led_collar() {
    across = min(led_pitch, bed) - 0.4;
    difference() {
        cylinder(d = across, h = collar);
        translate([0, 0, skin]) cylinder(d = across - 2 * skin, h = collar);
        translate([0, 0, -1]) cylinder(d = hole, h = collar);
    }
}

module sleeve(length) {
    difference() {
        cylinder(d = pole + 8, h = length);
        translate([0, 0, -1]) cylinder(d = pole + 0.4, h = length + 2);
        translate([0, 0, length / 2]) rotate([90, 0, 0]) cylinder(d = bolt, h = pole + 9);
    }
}

// Screwed to the table's edge or to a board under the frame; the pole stands in it.
module pole_foot() {
    difference() {
        translate([-foot / 2, -foot / 2, 0]) cube([foot, foot, 6]);
        for (x = [-1, 1], y = [-1, 1])
            translate([x * (foot / 2 - 8), y * (foot / 2 - 8), -1]) cylinder(d = bolt, h = 8);
    }
    sleeve(45);
}

// From the pole, below, to the arm, which reaches over the board.
module pole_elbow() {
    difference() {
        union() {
            translate([0, 0, -pole / 2 - 38]) sleeve(40);
            translate([0, pole / 2 + 4, 0]) rotate([90, 0, 0]) cylinder(d = pole + 8, h = pole + 8);
        }
        translate([0, 60, 0]) rotate([90, 0, 0]) cylinder(d = pole + 0.4, h = 120);
    }
    rotate([-90, 0, 0]) sleeve(40);
}

// At the arm's end: a plate for the camera, leaning with it, its lens `hang` below the arm.
module camera_head() {
    translate([0, 25, 0]) rotate([90, 0, 0]) sleeve(30);
    translate([0, 0, -hang]) rotate([tilt, 0, 0]) camera_plate();
    hull() {
        translate([-10, 17, -pole / 2 - 4]) cube([20, 6, 3]);
        translate([0, 0, -hang]) rotate([tilt, 0, 0]) translate([-14, 18, 0]) cube([28, 6, 4]);
    }
}

// A Pi's camera is 25 mm wide; its four holes of 2 mm lie 21 by 12.5 mm apart, its lens on two of them.
module camera_plate() {
    difference() {
        translate([-20, -14, 0]) cube([40, 38, 4]);
        translate([0, 0, -1]) cylinder(d = 15, h = 6);
        for (x = [-10.5, 10.5], y = [0, 12.5]) translate([x, y, -1]) cylinder(d = 2.2, h = 6);
    }
}

module all() {
    color("tan") frame();
    color("white") translate([-sheet[0] / 2, -sheet[1] / 2, base + collar]) cube([sheet[0], sheet[1], acrylic]);
    color("gold") for (at = leds) translate([at[0], -at[1], height]) cylinder(d = hole, h = 0.6);
    translate([0, -far, 0]) {
        pole_foot();
        color("silver") cylinder(d = pole, h = pole_length);
        translate([0, 0, pole_length]) {
            pole_elbow();
            color("silver") rotate([-90, 0, 0]) cylinder(d = pole, h = arm_length - pole);
        }
    }
    translate([0, -beside, pole_length]) camera_head();
}

if (part == "all") all();
else if (part == "frame") frame();
else if (part == "piece") frame_piece(pieces[piece]);
else if (part == "collar") led_collar();
else if (part == "foot") pole_foot();
else if (part == "elbow") pole_elbow();
else if (part == "head") camera_head();
